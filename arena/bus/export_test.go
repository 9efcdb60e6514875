package bus

import "time"

// WithPings has dead connections found sooner.
func (c Config) WithPings(every time.Duration) Config {
	c.pings = every
	return c
}

// Place is a line of the table of all that lasts.
type Place struct {
	Name, Stream, What string
	Size               int64
}

// Places is that table.
func Places() (all []Place) {
	for _, p := range places() {
		all = append(all, Place{p.name, p.stream(), p.what, p.size})
	}
	return all
}
