package access

import "time"

// limiter lets each of many do something a few times at once, and then now and then. It remembers a bounded number of them.
// It is not safe for concurrent use.
type limiter struct {
	every time.Duration
	burst int
	until map[string]time.Time // when all is as if nothing had happened
}

// remembered is how many a limiter knows apart. All others share one place.
const remembered = 4096

func (l *limiter) allow(who string, now time.Time) bool {
	if l.until == nil {
		l.until = map[string]time.Time{}
	}
	if _, ok := l.until[who]; !ok && len(l.until) >= remembered {
		if l.forget(now); len(l.until) >= remembered {
			who = ""
		}
	}
	at := l.until[who]
	if at.Before(now) {
		at = now
	}
	if at = at.Add(l.every); at.After(now.Add(time.Duration(l.burst) * l.every)) {
		return false
	}
	l.until[who] = at
	return true
}

func (l *limiter) forget(now time.Time) {
	for who, at := range l.until {
		if at.Before(now) {
			delete(l.until, who)
		}
	}
}
