package sandbox_test

import (
	"bufio"
	"io"
	"path/filepath"
	"testing"
	"time"

	"github.com/fivethreefive/fivethreefive/arena/sandbox"
)

// Bots that answer each line with itself.
const (
	pythonEcho = "import sys\nfor line in sys.stdin: print(line, end='', flush=True)"
	nodeEcho   = "process.stdin.on('data', b => process.stdout.write(b))"
)

type driver struct {
	name string
	*sandbox.Launcher
}

// BenchmarkStart is the time from the start of a bot to its first answer, and BenchmarkRoundTrip that of one line and its
// answer, with no sandbox and in one. The least of all starts is what compares best where others use the machine too.
func BenchmarkStart(b *testing.B) {
	eachBot(b, func(b *testing.B, l *sandbox.Launcher, spec sandbox.Spec) {
		least := time.Hour
		defer func() { b.ReportMetric(float64(least.Microseconds())/1000, "ms-least") }()
		for b.Loop() {
			began := time.Now()
			p, answers := startEcho(b, l, spec)
			echo(b, p, answers)
			least = min(least, time.Since(began))
			b.StopTimer()
			if err := p.Kill(); err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
		}
	})
}

func BenchmarkRoundTrip(b *testing.B) {
	eachBot(b, func(b *testing.B, l *sandbox.Launcher, spec sandbox.Spec) {
		p, answers := startEcho(b, l, spec)
		echo(b, p, answers)
		for b.Loop() {
			echo(b, p, answers)
		}
		if err := p.Kill(); err != nil {
			b.Fatal(err)
		}
	})
}

func eachBot(b *testing.B, run func(*testing.B, *sandbox.Launcher, sandbox.Spec)) {
	dir := b.TempDir()
	buildAttack(b, filepath.Join(dir, "attack"))
	drivers := []driver{{"none", startLauncher(b)}, {"caged", startCaged(b)}}
	for _, bot := range []struct {
		name string
		args []string
	}{
		{"C", []string{"./attack", "echo"}},
		{"Python", []string{need(b, "python3"), "-c", pythonEcho}},
		{"Node", []string{need(b, "node"), "-e", nodeEcho}},
	} {
		for _, d := range drivers {
			b.Run(bot.name+"/"+d.name, func(b *testing.B) {
				run(b, d.Launcher, sandbox.Spec{Trusted: true, Args: bot.args, Dir: dir, Env: []string{"PATH=/usr/local/bin:/usr/bin:/bin"}})
			})
		}
	}
}

func startEcho(b *testing.B, l *sandbox.Launcher, spec sandbox.Spec) (*sandbox.Process, *bufio.Reader) {
	b.Helper()
	p, err := l.Start(spec)
	if err != nil {
		b.Fatal(err)
	}
	return p, bufio.NewReader(p.Stdout())
}

func echo(b *testing.B, p *sandbox.Process, answers *bufio.Reader) {
	b.Helper()
	if _, err := io.WriteString(p.Stdin(), "ping\n"); err != nil {
		b.Fatal(err)
	}
	if _, err := answers.ReadString('\n'); err != nil {
		b.Fatal(err)
	}
}
