package sandbox

// Limits are what a confined process and all its descendants may use. A zero field is the default.
type Limits struct {
	// Memory is the number of bytes that all processes together may have resident; 0 is 256 MiB. A single process is kept
	// to it by the kernel, the sum by a cgroup, or where there is none by a watcher that looks many times a second.
	Memory int64
	// Processes is how many processes and threads there may be; 0 is 64.
	Processes int
	// CPU is how many processors' worth of time all processes together may take, where there are cgroups; 0 is 1.
	CPU float64
	// Files is how many files a process may have open; 0 is 256.
	Files int
	// Scratch is the size in bytes of the only place that can be written, seen as /tmp and as /dev/shm; 0 is 16 MiB.
	Scratch int64
}

const (
	defaultMemory    = 256 << 20
	defaultProcesses = 64
	defaultCPU       = 1.0
	defaultFiles     = 256
	defaultScratch   = 16 << 20
)

func (l Limits) withDefaults() Limits {
	if l.Memory == 0 {
		l.Memory = defaultMemory
	}
	if l.Processes == 0 {
		l.Processes = defaultProcesses
	}
	if l.CPU == 0 {
		l.CPU = defaultCPU
	}
	if l.Files == 0 {
		l.Files = defaultFiles
	}
	if l.Scratch == 0 {
		l.Scratch = defaultScratch
	}
	return l
}
