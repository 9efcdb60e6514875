//go:build linux

package seat_test

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/fivethreefive/fivethreefive/protocol"
)

// rogue is a bot that can do what no bot should.
type rogue struct {
	in  *protocol.Lines
	log *os.File
}

func newRogue() *rogue {
	log, err := os.OpenFile(os.Getenv(logEnv), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		panic(err)
	}
	return &rogue{in: protocol.NewLines(os.Stdin), log: log}
}

// atEnd is what a rogue does when its input ends.
var atEnd = func() { os.Exit(0) }

// hear reads until a message of the type, or with the code.
func (r *rogue) hear(what string) []byte {
	for {
		line, err := r.in.Next()
		if err != nil {
			atEnd()
		}
		fmt.Fprintf(r.log, "%s\n", line)
		if strings.Contains(string(line), fmt.Sprintf(`"type":%q`, what)) || strings.Contains(string(line), fmt.Sprintf(`"code":%q`, what)) {
			return line
		}
	}
}

func (r *rogue) ready() {
	r.hear("hello")
	say(`{"type":"ready"}`)
}

func (r *rogue) turn() int64 {
	message, err := protocol.ReadArena(r.hear("turn"))
	if err != nil {
		panic(err)
	}
	return message.(protocol.Turn).Turn
}

// atTurns gets ready and answers every turn in the way of f.
func atTurns(f func(turn int64)) func(*rogue) {
	return func(r *rogue) {
		r.ready()
		for {
			f(r.turn())
		}
	}
}

// atFirst does f at the first turn and is good from then on.
func atFirst(f func(r *rogue, turn int64)) func(*rogue) {
	return func(r *rogue) {
		r.ready()
		f(r, r.turn())
		for {
			say(move(r.turn()))
		}
	}
}

func obey(r *rogue) { atTurns(func(turn int64) { say(move(turn)) })(r) }

func ignore(r *rogue) { atTurns(func(int64) {})(r) }

func say(line string) { fmt.Fprintln(os.Stdout, line) }

func move(turn int64) string { return fmt.Sprintf(`{"type":"move","turn":%d,"action":0}`, turn) }

// moveOf has exactly the size.
func moveOf(size int, turn int64) string {
	line := strings.TrimSuffix(move(turn), "}") + `,"note":"`
	return line + strings.Repeat("n", size-len(line)-2) + `"}`
}

func repeat(n int, text string) { fmt.Fprint(os.Stdout, strings.Repeat(text, n)) }

func linger() { time.Sleep(time.Hour) }

// spawn starts a process that holds all our streams and stays.
func spawn(session bool) {
	cmd := exec.Command("/bin/sleep", "3600")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: session}
	if err := cmd.Start(); err != nil {
		panic(err)
	}
}

var rogues = map[string]func(*rogue){
	"good":     obey,
	"silent":   ignore,
	"deaf":     func(r *rogue) { r.ready(); linger() },
	"unready":  func(r *rogue) { r.hear("hello"); say(`hello to you`); r.hear("quit") },
	"future":   func(r *rogue) { r.hear("hello"); say(`{"type":"ready","protocol":2}`); r.hear("quit") },
	"stubborn": func(r *rogue) { signal.Ignore(syscall.SIGTERM); obey(r) },
	"late": atFirst(func(r *rogue, turn int64) {
		r.hear("timeout")
		say(move(turn))
	}),
	"clogged": func(r *rogue) { r.hear("hello"); clog(); say(`{"type":"ready"}`); linger() },
	"immortal": func(r *rogue) {
		signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
		atEnd = linger
		obey(r)
	},

	"mule": func(r *rogue) { // will not go when told
		signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
		atEnd = linger
		ignore(r)
	},
	"nest": func(r *rogue) { spawn(true); spawn(true); ignore(r) },

	"prints":    atTurns(func(turn int64) { say("thinking\n\xff\xfe\n[1]\n"); say(move(turn)) }),
	"crlf":      atTurns(func(turn int64) { fmt.Fprint(os.Stdout, "\ufeff", move(turn), "\r\n") }),
	"blank":     atTurns(func(turn int64) { fmt.Fprint(os.Stdout, "\n\r\n  \n", move(turn), "\n\n") }),
	"unknown":   atTurns(func(turn int64) { say(`{"type":"info","depth":3}`); say(move(turn)) }),
	"twice":     atTurns(func(turn int64) { say(move(turn) + "\n" + move(turn)) }),
	"full":      atTurns(func(turn int64) { say(moveOf(protocol.MaxLine, turn)) }),
	"logs":      atTurns(func(turn int64) { repeatLog(2 << 20); say(move(turn)) }),
	"slowly":    atTurns(slowly),
	"both":      atTurns(func(turn int64) { say(move(turn-1) + "\n" + move(turn)) }),
	"old":       atFirst(func(r *rogue, turn int64) { say(move(turn - 1)); r.hear("timeout") }),
	"unnamed":   atFirst(func(r *rogue, _ int64) { say(`{"type":"move","action":0}`); r.hear("timeout") }),
	"chatter":   func(r *rogue) { go chat(); ignore(r) },
	"malformed": atTurns(func(int64) { say(`{"type":"move",oops`) }),
	"deep":      atTurns(func(turn int64) { say(strings.Replace(move(turn), `0}`, strings.Repeat("[", 60_000), 1)) }),
	"index":     atTurns(func(turn int64) { say(strings.Replace(move(turn), `0}`, `9999}`, 1)) }),
	"object":    atTurns(func(turn int64) { say(strings.Replace(move(turn), `0}`, `{"type":"add","cards":[1,1,1,1,1]}}`, 1)) }),

	"long":    atTurns(func(turn int64) { say(moveOf(protocol.MaxLine+1, turn)) }),
	"endless": atTurns(func(int64) { repeat(1<<20, "x"); linger() }),
	"strays":  atTurns(func(int64) { repeat(protocol.MaxStrays+1, "debug\n"); linger() }),
	"stream": atTurns(func(int64) {
		for {
			repeat(1000, `{"type":"info"}`+"\n")
		}
	}),

	"exit":    atTurns(func(int64) { fmt.Fprintln(os.Stderr, "out of ideas"); os.Exit(4) }),
	"signal":  atTurns(func(int64) { syscall.Kill(os.Getpid(), syscall.SIGKILL) }),
	"partial": atTurns(func(int64) { fmt.Fprint(os.Stdout, `{"type":"mo`); os.Exit(0) }),
	"answers": atTurns(func(turn int64) { say(move(turn)); os.Exit(5) }),
	"fork":    atTurns(func(int64) { spawn(false); os.Exit(6) }),
	"setsid":  atTurns(func(int64) { spawn(true); os.Exit(7) }),
	"parent":  atTurns(func(turn int64) { spawn(true); say(move(turn)) }),
	"wordy":   atTurns(func(int64) { repeatLog(1 << 20); os.Exit(8) }),
	"stdin":   atTurns(func(turn int64) { os.Stdin.Close(); say(move(turn)); linger() }),
	"stdout":  atTurns(func(int64) { os.Stdout.Close(); linger() }),
}

// slowly writes its answer in two pieces.
func slowly(turn int64) {
	line := move(turn)
	fmt.Fprint(os.Stdout, line[:9])
	time.Sleep(20 * time.Millisecond)
	say(line[9:])
}

// clog fills our own stdin, so that nobody else can write to it.
func clog() {
	fd, err := syscall.Open("/proc/self/fd/0", syscall.O_WRONLY|syscall.O_NONBLOCK, 0)
	for block := make([]byte, 4<<10); err == nil; {
		_, err = syscall.Write(fd, block)
	}
	if err != syscall.EAGAIN {
		panic(err)
	}
}

func chat() {
	for {
		say(`{"type":"info","depth":3}`)
		time.Sleep(20 * time.Millisecond)
	}
}

func repeatLog(size int) {
	fmt.Fprint(os.Stderr, strings.Repeat(strings.Repeat("e", 99)+"\n", size/100), "the last line\n")
}
