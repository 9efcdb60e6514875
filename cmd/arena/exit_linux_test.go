package main

import "syscall"

// exitNow leaves without the second that the race detector waits at the end of a program.
func exitNow(code int) {
	_, _, _ = syscall.RawSyscall(syscall.SYS_EXIT_GROUP, uintptr(code), 0, 0)
}
