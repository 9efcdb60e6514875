package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// deniedError ends what asks for more than a token allows.
type deniedError struct {
	credentials string
	err         error
}

func (e *deniedError) Error() string {
	what := e.err.Error()
	if _, short, ok := strings.Cut(what, "Violation for "); ok {
		what = short
	}
	return fmt.Sprintf("the token of %s does not allow that (%s); an operator can make one for another role by arena token create", e.credentials, what)
}

type denyKey struct{}

// deniable gives a context that [deny] ends.
func deniable(ctx context.Context) (context.Context, context.CancelCauseFunc) {
	ctx, end := context.WithCancelCause(ctx)
	return context.WithValue(ctx, denyKey{}, end), end
}

// deny ends the innermost context that is deniable.
func deny(ctx context.Context, reason *deniedError) {
	if end, ok := ctx.Value(denyKey{}).(context.CancelCauseFunc); ok {
		end(reason)
	}
}

// denied is why a context was ended by [deny], or nil.
func denied(ctx context.Context) error {
	if reason, ok := errors.AsType[*deniedError](context.Cause(ctx)); ok {
		return reason
	}
	return nil
}
