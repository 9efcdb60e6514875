package sandbox

// Means says by what the limits of confined processes are kept. "none" is a limit that nothing keeps here.
type Means struct {
	// Memory is what bounds the memory of all processes of a bot together: "cgroup v2", "cgroup v1", or "watcher",
	// which looks many times a second and so stops a bot a little late.
	Memory string `json:"memory"`
	// Processes is what bounds their number: "cgroup v2", "cgroup v1" or "rlimit".
	Processes string `json:"processes"`
	// CPU is what keeps a bot to its share of the processors: "cgroup v2", "cgroup v1" or "none".
	CPU string `json:"cpu"`
	// Freeze is what Freeze uses: "cgroup v2", "cgroup v1" or "signals".
	Freeze string `json:"freeze"`
}

const (
	meansNone    = "none"
	meansRlimit  = "rlimit"
	meansSignals = "signals"
	meansWatcher = "watcher"
)

// Means says how this launcher keeps the limits.
func (l *Launcher) Means() Means { return l.pens.means() }
