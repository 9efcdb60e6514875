package sandbox

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/fivethreefive/fivethreefive/arena/sandbox/internal/cage"
)

const (
	insideUID = 1000      // what a bot sees as its own
	firstUID  = 2_000_001 // of the users that bots are on the host where the arena may choose
	blockUIDs = 1 << 12   // users of one launcher, which takes them in turn
	blocks    = 1 << 17
)

// mayChooseUser reports whether this program may make users that are not its own. It depends on capabilities and not on
// being called root: in a container root may have none.
func mayChooseUser() bool {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var data [2]unix.CapUserData
	if unix.Capget(&header, &data[0]) != nil {
		return false
	}
	need := uint32(1<<unix.CAP_SYS_ADMIN | 1<<unix.CAP_SETUID | 1<<unix.CAP_SETGID)
	return data[0].Effective&need == need
}

// hostUser is the user and the group that a bot is on the host where the arena may choose.
//
// Each launcher draws its block, so that two that run side by side hardly share a user.
func (l *Launcher) hostUser(number uint64) int {
	block := crc32.ChecksumIEEE([]byte(l.id)) % blocks
	return firstUID + int(block)*blockUIDs + int(number%blockUIDs)
}

// cageAttr makes the namespaces. The process keeps just the rights that Init needs, by the ambient set, since it is nobody
// special in its own user namespace either.
func (l *Launcher) cageAttr(number uint64, chooses bool) *syscall.SysProcAttr {
	uid, gid := os.Geteuid(), os.Getegid()
	attr := &syscall.SysProcAttr{
		Setsid: true, Pdeathsig: syscall.SIGKILL,
		Cloneflags: unix.CLONE_NEWUSER | unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWNET | unix.CLONE_NEWIPC |
			unix.CLONE_NEWUTS | unix.CLONE_NEWCGROUP,
		AmbientCaps: []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_SETPCAP, unix.CAP_SYS_CHROOT, unix.CAP_SYS_RESOURCE},
		Credential:  &syscall.Credential{Uid: insideUID, Gid: insideUID, NoSetGroups: true},
	}
	if chooses {
		uid = l.hostUser(number)
		gid = uid
		attr.Credential.NoSetGroups = false
		attr.GidMappingsEnableSetgroups = true
	}
	attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: insideUID, HostID: uid, Size: 1}}
	attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: insideUID, HostID: gid, Size: 1}}
	return attr
}

// startCaged starts a program by way of a cage and returns when it runs, or when it is clear why not.
func (l *Launcher) startCaged(path string, spec Spec, number uint64, theirs [3]*os.File, env []string) (*os.Process, *pen, error) {
	var err error
	if spec.Dir, err = workDir(spec.Dir); err != nil {
		return nil, nil, err
	}
	paths, hidden, err := l.seen(path, spec)
	if err != nil {
		return nil, nil, err
	}
	limits := spec.Limits.withDefaults()
	c := cage.Cage{
		Path: path, Args: spec.Args, Env: env, Dir: spec.Dir, Hide: hidden,
		Scratch: limits.Scratch, Limits: limitsOf(limits), Filter: l.filter,
	}
	if spec.Writable && spec.Dir == "/" {
		return nil, nil, errors.New("a writable folder has to be one of its own")
	}
	views, err := l.openViews(paths, spec, hidden, number)
	defer func() { closeViews(views) }()
	if err != nil {
		return nil, nil, err
	}
	files := []*os.File{theirs[0], theirs[1], theirs[2], nil, nil}
	for _, v := range views {
		shown := cage.View{Path: v.path, FD: -1, Kind: viewKind(spec, v.path)}
		if v.file != nil {
			shown.FD = len(files)
			files = append(files, v.file)
		}
		c.Views = append(c.Views, shown)
	}
	pen, err := l.pens.add(number, limits)
	if err != nil {
		return nil, nil, errors.Join(err, pen.remove())
	}
	proc, err := l.lock(c, pen, files, l.cageAttr(number, mayChooseUser()))
	if err == nil {
		err = pen.tighten()
	}
	if err != nil {
		if proc != nil {
			_ = proc.Kill()
			_, _ = proc.Wait()
		}
		return nil, nil, errors.Join(err, pen.remove())
	}
	return proc, pen, nil
}

// lock starts a process, gives it its cage, and waits until the bot runs in it. With an error there may be a process.
func (l *Launcher) lock(c cage.Cage, n *pen, files []*os.File, attr *syscall.SysProcAttr) (*os.Process, error) {
	text, err := json.Marshal(c)
	if err != nil {
		return nil, err
	}
	theirIn, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	out, theirOut, err := os.Pipe()
	if err != nil {
		_, _ = theirIn.Close(), in.Close()
		return nil, err
	}
	defer func() { _ = out.Close() }()
	files[cage.CageFD], files[cage.ReportFD] = theirIn, theirOut
	proc, err := l.forkCage(n, c.Env[:1], files, attr)
	_, _ = theirIn.Close(), theirOut.Close()
	if err != nil {
		_ = in.Close()
		return nil, err
	}
	if err = n.bound(); err == nil { // meanwhile it starts up
		_, err = in.Write(text)
	}
	_ = in.Close()
	report, rerr := io.ReadAll(out)
	if err == nil {
		err = readReport(report)
	}
	return proc, errors.Join(err, rerr)
}

// forkCage starts this program as a cage, also where its file has been replaced meanwhile.
func (l *Launcher) forkCage(n *pen, env []string, files []*os.File, attr *syscall.SysProcAttr) (*os.Process, error) {
	env = append([]string{"GODEBUG=", "GOGC=off"}, env...) // its own, not the bot's
	return l.fork(n, cmp.Or(l.program, "/proc/self/exe"), []string{cage.Name}, &os.ProcAttr{Dir: "/", Env: env, Files: files, Sys: attr})
}

// readReport makes an error of what a cage has said. That it is ready and no more means that the bot runs.
func readReport(report []byte) error {
	failure, ready := strings.CutPrefix(string(report), cage.Ready+"\n")
	if failure = strings.TrimSpace(failure); failure == "" {
		if ready {
			return nil
		}
		return errors.New("sandbox: its first process died")
	}
	number, text, _ := strings.Cut(failure, " ")
	errno, err := strconv.ParseUint(number, 10, 32)
	if err != nil || errno == 0 {
		return fmt.Errorf("sandbox: %s", failure)
	}
	cause := syscall.Errno(errno)
	return fmt.Errorf("sandbox: %s%w", strings.TrimSuffix(text, cause.Error()), cause)
}

// limitsOf keeps each process to its share. The address space is left alone: runtimes reserve far more than they use.
func limitsOf(l Limits) []cage.Limit {
	return []cage.Limit{
		{Resource: unix.RLIMIT_DATA, Value: uint64(l.Memory)},
		{Resource: unix.RLIMIT_NPROC, Value: uint64(l.Processes)},
		{Resource: unix.RLIMIT_NOFILE, Value: uint64(l.Files)},
		{Resource: unix.RLIMIT_FSIZE, Value: uint64(l.Scratch)},
		{Resource: unix.RLIMIT_MEMLOCK},
		{Resource: unix.RLIMIT_MSGQUEUE},
		{Resource: unix.RLIMIT_NICE},
		{Resource: unix.RLIMIT_RTPRIO},
		{Resource: unix.RLIMIT_CORE},
	}
}
