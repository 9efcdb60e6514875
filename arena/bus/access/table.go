package access

import (
	"slices"
	"strings"

	"github.com/nats-io/nats-server/v2/server"
)

// Row is what each role may do at a subject, in which "name" is the bot's own name, and KEY the public key of whoever it is.
type Row struct {
	Subject string
	acts    map[Role][]Act
}

// Cell is what a role may do there, and "-" for nothing.
func (r Row) Cell(role Role) string {
	if len(r.acts[role]) == 0 {
		return "-"
	}
	var words []string
	for _, act := range r.acts[role] {
		words = append(words, string(act))
	}
	return strings.Join(words, ", ")
}

// Table has a row for each subject that is in a right of any role. All else is the operator's.
func Table() (rows []Row) {
	rights := map[Role][]Right{}
	for _, role := range Roles() {
		rights[role] = Rights(Identity{Role: role, Name: "name", Key: "KEY"})
	}
	for _, role := range Roles() {
		for _, right := range rights[role] {
			if right.Subject == ">" || slices.ContainsFunc(rows, func(r Row) bool { return r.Subject == right.Subject }) {
				continue
			}
			row := Row{right.Subject, map[Role][]Act{}}
			for _, other := range Roles() {
				row.acts[other] = actsAt(rights[other], right.Subject)
			}
			rows = append(rows, row)
		}
	}
	slices.SortFunc(rows, func(x, y Row) int { return strings.Compare(x.Subject, y.Subject) })
	return rows
}

func actsAt(rights []Right, subject string) (acts []Act) {
	for _, act := range []Act{Publish, Subscribe, Answer} {
		if slices.ContainsFunc(rights, func(r Right) bool { return r.Act == act && server.SubjectMatchesFilter(subject, r.Subject) }) {
			acts = append(acts, act)
		}
	}
	return acts
}
