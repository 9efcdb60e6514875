package access

import (
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/fivethreefive/fivethreefive/protocol"
)

// Right is one line of what somebody may do. What is not in a right is refused.
type Right struct {
	Act     Act
	Subject string // or a pattern of subjects
}

// Act is what a right allows.
type Act string

// All acts.
const (
	Publish   Act = "publish"
	Subscribe Act = "subscribe"
	Answer    Act = "answer" // publish one reply to each message that came by the pattern
)

// Rights is all that somebody may do: in the account of the role, and nothing else.
func Rights(id Identity) []Right {
	switch id.Role {
	case Operator:
		return []Right{{Publish, ">"}, {Subscribe, ">"}}
	case Worker:
		return append(workerRights(), asking(id)...)
	case Author:
		return append(authorRights(id), asking(id)...)
	case Bot:
		subject := protocol.BotSubject(id.Name)
		return []Right{{Subscribe, subject}, {Answer, subject}}
	case Spectator:
		return []Right{{Subscribe, "arena.watch.>"}}
	default:
		return nil
	}
}

// InboxPrefix is where answers come to somebody who asks, so that nobody else reads them.
func InboxPrefix(key string) string { return "_INBOX." + key }

func asking(id Identity) []Right { return []Right{{Subscribe, InboxPrefix(id.Key) + ".>"}} }

// workerRights are to take matches, to fetch bots, to hand in results, replays and reports, and to play with remote bots. There is
// no right to make a consumer among them, nor among those of authors: whoever has one can have the server send what a stream keeps to
// any subject. Nor is there one to queue matches, or to purge a stream; and those to which they
// publish allow no rollup, which would be the same.
func workerRights() []Right {
	rights := []Right{
		{Publish, "$JS.API.CONSUMER.INFO.JOBS.*"},
		{Publish, "$JS.API.CONSUMER.MSG.NEXT.JOBS.*"},
		{Publish, "$JS.ACK.JOBS.>"},
		{Publish, "$JS.API.DIRECT.GET.RESULTS.res.*.*"},
		{Publish, "res.*.*"},
		{Publish, "rep.*.*"},
		{Publish, "rpl.*.*.*.*"},
		{Publish, "$JS.API.DIRECT.GET.KV_bots.>"},
		{Publish, "$JS.API.DIRECT.GET.OBJ_packages"},
		{Publish, "$JS.API.DIRECT.GET.OBJ_packages.$O.packages.M.*"},
		{Publish, "arena.seat.>"},
		{Publish, "arena.watch.*.*.*"},
		{Publish, "workers.status"},
	}
	for _, stream := range []string{"EVENTS", "RESULTS", "JOBS", "REPORTS", "REPLAYS", "KV_bots", "OBJ_packages"} {
		rights = append(rights, Right{Publish, "$JS.API.STREAM.INFO." + stream})
	}
	for _, subject := range []string{"workers.status", "$SRV.*", "$SRV.*.arena-worker", "$SRV.*.arena-worker.*"} {
		rights = append(rights, Right{Subscribe, subject}, Right{Answer, subject})
	}
	return rights
}

// authorRights are to hand a bot in at a desk, as nobody but themselves, and to read what is known of bots. They can write to no stream.
func authorRights(id Identity) []Right {
	return []Right{
		{Publish, "bots.submit." + id.Key + ".>"},
		{Publish, "$JS.API.STREAM.INFO.KV_bots"},
		{Publish, "$JS.API.DIRECT.GET.KV_bots.>"},
	}
}

// AnswerWithin is how late a reply may come, where nothing else is said. No move of a remote bot can take longer.
const AnswerWithin = time.Hour

// permissions make what the server keeps out of rights.
func permissions(rights []Right, answerWithin time.Duration) *server.Permissions {
	// A nil list of what may be published would allow everything, and so would an empty one of what may be subscribed.
	p := &server.Permissions{Publish: &server.SubjectPermission{Allow: []string{}}, Subscribe: &server.SubjectPermission{}}
	for _, right := range rights {
		switch right.Act {
		case Publish:
			p.Publish.Allow = append(p.Publish.Allow, right.Subject)
		case Subscribe:
			p.Subscribe.Allow = append(p.Subscribe.Allow, right.Subject)
		case Answer:
			p.Response = &server.ResponsePermission{MaxMsgs: 1, Expires: answerWithin}
		}
	}
	if len(p.Subscribe.Allow) == 0 {
		p.Subscribe.Deny = []string{">"}
	}
	return p
}
