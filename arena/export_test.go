package arena

import "time"

// AddTime counts a time, as the referee does.
func AddTime(h *Histogram, d time.Duration) { h.add(d) }
