package main

import (
	"errors"
	"io/fs"
	"os"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// network is one of its own, as on another machine: nothing leads there but wires. The kernel ends it when it is closed and the
// last process that was started in it has ended.
type network struct{ space *os.File }

// newNetwork skips the test where the user may not have networks.
func newNetwork(t *testing.T) network {
	t.Helper()
	runtime.LockOSThread()
	home := networkOfThread(t)
	defer home.Close()
	requireMay(t, unix.Unshare(unix.CLONE_NEWNET))
	n := network{networkOfThread(t)}
	t.Cleanup(func() { _ = n.space.Close() })
	require.NoError(t, unix.Setns(int(home.Fd()), unix.CLONE_NEWNET))
	runtime.UnlockOSThread() // and if that failed, the thread ends with the test
	return n
}

// requireMay takes an error for what the user may not do. CI may do all.
func requireMay(t *testing.T, err error) {
	t.Helper()
	if os.Getenv("CI") != "true" && (errors.Is(err, fs.ErrPermission) || errors.Is(err, fs.ErrNotExist)) {
		t.Skipf("NOT tested: a bad network, which needs root and /dev/net/tun: %v", err)
	}
	require.NoError(t, err, "a bad network needs root and /dev/net/tun")
}

func networkOfThread(t *testing.T) *os.File {
	t.Helper()
	file, err := os.Open("/proc/thread-self/ns/net")
	require.NoError(t, err)
	return file
}

// inside does something in the network: the processes that it starts stay there.
func (n network) inside(t *testing.T, do func()) {
	t.Helper()
	runtime.LockOSThread()
	home := networkOfThread(t)
	defer home.Close()
	require.NoError(t, unix.Setns(int(n.space.Fd()), unix.CLONE_NEWNET))
	defer func() {
		if unix.Setns(int(home.Fd()), unix.CLONE_NEWNET) == nil {
			runtime.UnlockOSThread()
		}
	}()
	do()
}

// plug is the end of a wire in the network: what is sent from the address own to the address peer is read from it, and what is
// written to it arrives there.
func (n network) plug(t *testing.T, name string, own, peer [4]byte) (plug *os.File) {
	t.Helper()
	n.inside(t, func() {
		fd, err := unix.Open("/dev/net/tun", unix.O_RDWR|unix.O_CLOEXEC|unix.O_NONBLOCK, 0)
		requireMay(t, err)
		device := interfaceOf(t, name)
		device.SetUint16(unix.IFF_TUN | unix.IFF_NO_PI)
		requireMay(t, unix.IoctlIfreq(fd, unix.TUNSETIFF, device))
		plug = os.NewFile(uintptr(fd), name)
		setUp(t, name, own, peer)
	})
	return plug
}

// setUp gives a device its addresses and switches it on.
func setUp(t *testing.T, name string, own, peer [4]byte) {
	t.Helper()
	control, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	require.NoError(t, err)
	defer func() { _ = unix.Close(control) }()
	for _, set := range []struct {
		request uint
		address [4]byte
	}{{unix.SIOCSIFADDR, own}, {unix.SIOCSIFDSTADDR, peer}} {
		device := interfaceOf(t, name)
		require.NoError(t, device.SetInet4Addr(set.address[:]))
		require.NoError(t, unix.IoctlIfreq(control, set.request, device))
	}
	device := interfaceOf(t, name)
	device.SetUint16(unix.IFF_UP | unix.IFF_NOARP)
	require.NoError(t, unix.IoctlIfreq(control, unix.SIOCSIFFLAGS, device))
}

func interfaceOf(t *testing.T, name string) *unix.Ifreq {
	t.Helper()
	device, err := unix.NewIfreq(name)
	require.NoError(t, err)
	return device
}
