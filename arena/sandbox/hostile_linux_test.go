package sandbox_test

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/fivethreefive/fivethreefive/arena/sandbox"
	"github.com/fivethreefive/fivethreefive/arena/sandbox/sandboxtest"
)

// TestHostile runs every attack twice: in the cage, and without one to show that the attack works.
func TestHostile(t *testing.T) {
	h := newHost(t)
	caged, free := startCaged(t), startLauncher(t)
	limits := sandbox.Limits{Memory: 64 << 20, Scratch: 8 << 20}
	for _, a := range h.attacks() {
		t.Run(a.name, func(t *testing.T) {
			assert.Contains(t, strings.Split(a.confined, "|"), h.run(t, caged, limits, a.args), "in the cage")
			control := a.control
			if os.Geteuid() == 0 && a.root != "" {
				control = a.root
			}
			if control == "" {
				require.NotEmpty(t, a.why, "an attack without a control run has to say why")
				return
			}
			assert.Contains(t, strings.Split(control, "|"), h.run(t, free, limits, a.args), "without a cage")
		})
	}
	h.unharmed(t)
}

// attack is a way to do what a bot shall not. Outcomes are "ok", the name of an errno, "signal: ..." or what the attack
// printed, with | between those that depend on the kernel and its settings.
type attack struct {
	name     string
	args     []string
	confined string
	control  string // without a cage; empty where it is not run
	root     string // the same if the arena is root, where that differs
	why      string // there is no control run, or why the attack does not work in it
}

// host is what the attacks are after.
type host struct {
	bot     string // the folder of the bot, with the program of all attacks
	public  string // a folder that anybody may write to
	port    string // of a TCP and of a UDP socket
	path    string // of a Unix socket
	name    string // of an abstract one
	secret  string // a file that belongs to the arena
	other   string // the code of another bot
	setuid  string // a program that runs as root, or empty
	victim  *exec.Cmd
	machine string // its name
}

func newHost(t *testing.T) *host {
	t.Helper()
	dir := t.TempDir()
	h := &host{
		bot: filepath.Join(dir, "bot"), public: filepath.Join(dir, "public"), path: filepath.Join(dir, "socket"),
		name: fmt.Sprintf("@arena-hostile-%d", os.Getpid()), secret: filepath.Join(dir, "secret"), other: filepath.Join(dir, "other", "bot.py"),
	}
	for _, d := range []string{h.bot, h.public, filepath.Dir(h.other), filepath.Join(h.bot, "inner")} {
		require.NoError(t, os.Mkdir(d, 0o755))
	}
	require.NoError(t, os.Chmod(h.public, 0o777))
	buildAttack(t, filepath.Join(h.bot, "attack"))
	write(t, h.secret, "secret", 0o600)
	write(t, h.other, "secret", 0o644)
	write(t, filepath.Join(h.bot, "file"), "mine", 0o644)
	require.NoError(t, os.Symlink("/etc/shadow", filepath.Join(h.bot, "shadow")))
	require.NoError(t, os.Symlink("../secret", filepath.Join(h.bot, "link")))
	if os.Geteuid() == 0 { // as if a package could bring one along
		require.NoError(t, unix.Mknod(filepath.Join(h.bot, "device"), unix.S_IFCHR|0o666, int(unix.Mkdev(1, 5))))
		require.NoError(t, os.Chmod(filepath.Join(h.bot, "device"), 0o666))
	}
	h.listen(t)
	h.victim = exec.Command("sleep", "1000")
	h.victim.Env = []string{"SECRET=of another"}
	require.NoError(t, h.victim.Start())
	t.Cleanup(func() {
		h.victim.Process.Kill()
		h.victim.Wait()
	})
	for _, program := range []string{"/usr/bin/su", "/bin/su", "/usr/bin/passwd", "/usr/bin/chsh"} {
		if info, err := os.Stat(program); err == nil && info.Mode()&os.ModeSetuid != 0 {
			h.setuid = program
			break
		}
	}
	h.machine, _ = os.Hostname()
	return h
}

func (h *host) listen(t *testing.T) {
	t.Helper()
	tcp, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	h.port = strconv.Itoa(tcp.Addr().(*net.TCPAddr).Port)
	udp, err := net.ListenPacket("udp", tcp.Addr().String())
	require.NoError(t, err)
	path, err := net.Listen("unix", h.path)
	require.NoError(t, err)
	abstract, err := net.Listen("unix", h.name)
	require.NoError(t, err)
	for _, c := range []io.Closer{tcp, udp, path, abstract} { // the kernel accepts as many as the attacks need
		t.Cleanup(func() { c.Close() })
	}
}

// unharmed is what has to be true after all attacks.
func (h *host) unharmed(t *testing.T) {
	t.Helper()
	assert.NoError(t, h.victim.Process.Signal(syscall.Signal(0)))
	name, err := os.Hostname()
	require.NoError(t, err)
	assert.Equal(t, h.machine, name)
	left, err := os.ReadDir(h.public)
	require.NoError(t, err)
	assert.Empty(t, left)
	for _, dir := range []string{"/tmp", "/dev/shm"} {
		left, err := filepath.Glob(dir + "/attack-*")
		require.NoError(t, err)
		assert.Empty(t, left)
	}
}

func (h *host) run(t *testing.T, l *sandbox.Launcher, limits sandbox.Limits, args []string) string {
	t.Helper()
	p, err := l.Start(sandbox.Spec{Args: append([]string{"./attack"}, args...), Dir: h.bot, Env: []string{"GIVEN=1"}, Limits: limits})
	require.NoError(t, err)
	out := readAll(t, p)
	<-p.Done()
	require.NoError(t, p.Kill())
	if p.Exit().Signal != 0 {
		return p.Exit().String()
	}
	require.Zero(t, p.Exit().Code, out+p.Stderr().String())
	return outcome(out)
}

func outcome(out string) string {
	out = strings.TrimSpace(out)
	if number, ok := strings.CutPrefix(out, "errno "); ok {
		n, _ := strconv.Atoi(number)
		return unix.ErrnoName(syscall.Errno(n))
	}
	return out
}

// startCaged returns a launcher that confines. Where that is impossible there is nothing to test: the launcher refuses,
// which the tests of the probe see to. But where everything has to be tested that is a failure.
func startCaged(tb testing.TB) *sandbox.Launcher {
	tb.Helper()
	l, err := sandbox.New(sandboxtest.Config(true))
	if refused := (*sandbox.NotConfinedError)(nil); errors.As(err, &refused) && os.Getenv("CI") != "true" {
		tb.Skip(err)
	}
	require.NoError(tb, err)
	tb.Cleanup(func() { require.NoError(tb, l.Close()) })
	return l
}

func buildAttack(tb testing.TB, file string) {
	tb.Helper()
	sources, err := filepath.Glob("testdata/attack/*.c")
	require.NoError(tb, err)
	args := append([]string{"-static", "-pthread", "-O1", "-w", "-o", file}, sources...)
	out, err := exec.CommandContext(tb.Context(), need(tb, "cc"), args...).CombinedOutput()
	require.NoError(tb, err, string(out))
}

// need finds a tool. Without it the test is skipped, but not where everything has to be tested.
func need(tb testing.TB, tool string) string {
	tb.Helper()
	path, err := exec.LookPath(tool)
	if err != nil && os.Getenv("CI") == "true" {
		tb.Fatalf("%s is needed for the tests of the sandbox", tool)
	}
	if err != nil {
		tb.Skipf("without %s", tool)
	}
	return path
}

// Linux on other processors has no foreign way into the kernel of these kinds.
func onlyAMD64(outcome string) string {
	if runtime.GOARCH == "amd64" {
		return outcome
	}
	return "ENOSYS"
}

// within waits for something that happens soon, and fails when it does not.
func within(t *testing.T, what string, happened func() bool) {
	t.Helper()
	require.Eventually(t, happened, time.Minute, 5*time.Millisecond, what)
}
