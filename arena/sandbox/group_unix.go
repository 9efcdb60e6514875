//go:build unix && !linux

package sandbox

import "syscall"

func procAttr() *syscall.SysProcAttr   { return &syscall.SysProcAttr{Setsid: true} }
func wardenAttr() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

func killGroup(pgid int) { _ = syscall.Kill(-pgid, syscall.SIGKILL) }
