package remote

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// CheckURL says why there can be no arena at a URL. Several addresses of a cluster have commas between them. One without a
// scheme is taken for nats://.
func CheckURL(text string) error {
	for address := range strings.SplitSeq(text, ",") {
		scheme, _, has := strings.Cut(strings.TrimSpace(address), "://")
		if has && !slices.Contains([]string{"nats", "tls", "ws", "wss"}, strings.ToLower(scheme)) {
			return fmt.Errorf("an arena is not reached by %s://; the address begins with nats://, tls://, ws:// or wss://", printable(scheme))
		}
	}
	return nil
}

// shown is the address without its password.
func (s Server) shown() string {
	parsed, err := url.Parse(s.URL)
	if err != nil {
		return "its URL" // which may have one anywhere
	}
	return parsed.Redacted()
}
