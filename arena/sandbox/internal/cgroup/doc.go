// Package cgroup bounds groups of processes by the control groups of Linux, in version 1 and 2, as far as this program may
// write them, and has nothing of its own where it may not. It knows nothing of what the processes do.
package cgroup
