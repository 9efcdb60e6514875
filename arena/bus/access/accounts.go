package access

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Accounts of the server. Whoever asks for something names a subject for the answer, and the server looks at no right to that: the
// answer could go to any subject of the account. So the roles that ask have accounts in which there is nothing but what they may do.
const (
	ArenaAccount   = "ARENA"
	WorkersAccount = "WORKERS"
	AuthorsAccount = "AUTHORS"
	BotsAccount    = "BOTS"
)

// account is where connections of a role are.
func (r Role) account() string {
	switch r {
	case Worker:
		return WorkersAccount
	case Author:
		return AuthorsAccount
	case Bot:
		return BotsAccount
	default:
		return ArenaAccount
	}
}

//go:embed accounts.conf
var accountsFrame string

// Accounts is the part of the configuration of a server that makes the accounts; the embedded one has it as well. What a role may
// publish, the account of the arena exports to its account.
func Accounts() string {
	exported, imported := map[string][]string{}, map[string][]string{}
	for _, role := range []Role{Worker, Author} {
		for _, right := range Rights(Identity{Role: role, Key: "*"}) {
			if right.Act == Publish && !elsewhere(right.Subject) {
				account := role.account()
				exported[right.Subject] = append(exported[right.Subject], account)
				imported[account] = append(imported[account], fmt.Sprintf("{service: {account: %s, subject: %q}}", ArenaAccount, right.Subject))
			}
		}
	}
	var exports []string
	for _, subject := range slices.Sorted(maps.Keys(exported)) {
		exports = append(exports, fmt.Sprintf("{service: %q, accounts: [%s], threshold: %q}", subject, strings.Join(exported[subject], ", "), answersFor))
	}
	lines := func(list []string) string { return strings.Join(list, "\n      ") }
	return strings.NewReplacer(
		"# exports of the arena", lines(exports),
		"# imports of workers", lines(imported[WorkersAccount]),
		"# imports of authors", lines(imported[AuthorsAccount]),
	).Replace(accountsFrame)
}

// answersFor is how long an answer can come through: that of the desk waits for the check of a bot.
const answersFor = "1h"

// elsewhere reports whether workers publish a subject, but not to the account of the arena: seats are in that of the bots, and workers
// ask each other in their own.
func elsewhere(subject string) bool { return subject == "arena.seat.>" || subject == "workers.status" }
