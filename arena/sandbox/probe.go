package sandbox

// Report says how well this machine can confine bots.
type Report struct {
	Confined bool      `json:"confined"` // whether bots run confined at all
	Parts    []Feature `json:"parts"`
}

// Feature is one part of the confinement.
type Feature struct {
	Name   string `json:"name"`
	State  string `json:"state"`            // what it does here
	Active bool   `json:"active"`           // whether it holds
	Remedy string `json:"remedy,omitempty"` // what brings it, where it does not hold
}

// NotConfinedError is the refusal to start bots that cannot be confined.
type NotConfinedError struct {
	Cause  error
	Remedy string
	Parts  []Feature // what was found of each part; the first is the one that failed
}

func (e *NotConfinedError) Error() string {
	return "bots cannot be confined here: " + e.Cause.Error() + "; " + e.Remedy
}

func (e *NotConfinedError) Unwrap() error { return e.Cause }
