package access

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"
)

// Callout has a server of its own, or a cluster, let in who may: it asks for each connection, and gets what the embedded server
// would do. As long as nobody answers, nobody is let in.
type Callout struct {
	Gate         *Gate // follows the tokens
	Issuer       nkeys.KeyPair
	AnswerWithin time.Duration // see [AnswerWithin], which is the default of 0
}

// calloutSubject is where servers ask. Those who answer share the work.
const (
	calloutSubject = "$SYS.REQ.USER.AUTH"
	calloutQueue   = "arena"
)

// ServerConfig is what a server of its own needs for a callout: who answers, and whose answers count. Both keys are public.
func ServerConfig(answers, issuer string) string {
	const mark = "jetstream: enabled\n"
	accounts := strings.Replace(Accounts(), mark, mark+"    users: [{nkey: "+answers+"}] # answers the callout\n", 1)
	return accounts + fmt.Sprintf("authorization {auth_callout {issuer: %s, account: %s, auth_users: [%s]}}\n", issuer, ArenaAccount, answers)
}

// Serve answers until the context ends. Who was let in by another service before is asked of the server.
func (c *Callout) Serve(ctx context.Context) error {
	nc := c.Gate.nc
	sub, err := nc.QueueSubscribe(calloutSubject, calloutQueue, func(m *nats.Msg) {
		answer, err := c.answer(ctx, m.Data)
		if err != nil {
			c.Gate.log.Error("a connection cannot be checked", "error", err)
			return
		}
		_ = m.Respond([]byte(answer)) // the server refuses where it hears nothing
	})
	if err != nil {
		return fmt.Errorf("answer the server: %w", err)
	}
	defer func() { _ = sub.Unsubscribe() }() // it ends with its connection
	return c.Gate.follow(ctx, func() { c.Gate.adopt(ctx) })
}

// errNot is all that the server, and with it whoever wants in, is told.
var errNot = errors.New("no")

func (c *Callout) answer(ctx context.Context, data []byte) (string, error) {
	request, err := jwt.DecodeAuthorizationRequestClaims(string(data))
	if err != nil {
		return "", fmt.Errorf("request: %w", err)
	}
	answer := jwt.NewAuthorizationResponseClaims(request.UserNkey)
	answer.Audience = request.Server.ID
	if answer.Jwt, err = c.user(ctx, request); err != nil {
		answer.Jwt, answer.Error = "", errNot.Error()
	}
	return answer.Encode(c.Issuer)
}

func (c *Callout) user(ctx context.Context, r *jwt.AuthorizationRequestClaims) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	id, err := c.Gate.Admit(ctx, Claim{
		Conn: Conn{r.Server.ID, r.ClientInformation.ID}, Address: r.ClientInformation.Host, Key: r.ConnectOptions.Nkey,
		Nonce: r.ClientInformation.Nonce, Signature: r.ConnectOptions.SignedNonce,
	})
	if err != nil {
		return "", err
	}
	user := jwt.NewUserClaims(r.UserNkey)
	user.Name = string(id.Role) + " " + id.Name + " " + id.Key // by which [Gate.adopt] knows it
	user.Audience, user.Permissions = id.Role.account(), claimed(Rights(id), cmp.Or(c.AnswerWithin, AnswerWithin))
	if !id.Expires.IsZero() {
		user.Expires = id.Expires.Unix()
	}
	return user.Encode(c.Issuer)
}

// claimed says the same as [permissions], where the server takes an empty list for one that allows everything.
func claimed(rights []Right, answerWithin time.Duration) (p jwt.Permissions) {
	own := permissions(rights, answerWithin)
	p.Pub.Allow, p.Sub.Allow, p.Sub.Deny = own.Publish.Allow, own.Subscribe.Allow, own.Subscribe.Deny
	if len(p.Pub.Allow) == 0 {
		p.Pub.Deny = []string{">"}
	}
	if own.Response != nil {
		p.Resp = &jwt.ResponsePermission{MaxMsgs: own.Response.MaxMsgs, Expires: own.Response.Expires}
	}
	return p
}
