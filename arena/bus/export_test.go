package bus

import "time"

// WithPings has dead connections found sooner.
func (c Config) WithPings(every time.Duration) Config {
	c.pings = every
	return c
}
