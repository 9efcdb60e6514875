package sandbox

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A process that always forks or always executes is never seen in the same state twice,
// but every scan has to see it in some.
func TestScanSeesRestless(t *testing.T) {
	tests := []struct{ name, script string }{
		{"fork", `/bin/sh "$0" &`},
		{"exec", `exec /bin/sh "$0"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "restless")
			require.NoError(t, os.WriteFile(file, []byte(tt.script), 0o644))
			mark := "ARENA_PROCESS=restless." + tt.name
			cmd := exec.Command("/bin/sh", file)
			cmd.Env = []string{mark}
			require.NoError(t, cmd.Start())
			mark += "\x00"
			missed := 0
			for range 100 {
				s := scan{mark: []byte(mark)}
				found, err := s.run()
				require.NoError(t, err)
				if len(found) == 0 {
					missed++
				}
			}
			assert.Zero(t, missed)
			require.NoError(t, hunt(mark))
			cmd.Wait()
			s := scan{mark: []byte(mark)}
			found, err := s.run()
			require.NoError(t, err)
			assert.Empty(t, found)
		})
	}
}

func BenchmarkTrue(b *testing.B) {
	b.Run("exec", func(b *testing.B) {
		for b.Loop() {
			if err := exec.Command("/bin/true").Run(); err != nil {
				b.Fatal(err)
			}
		}
	})
	l, err := New(Config{})
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	run := func(b *testing.B, end func(*Process) error) {
		b.Helper()
		for b.Loop() {
			p, err := l.Start(Spec{Args: []string{"/bin/true"}})
			if err != nil {
				b.Fatal(err)
			}
			<-p.Done()
			b.StopTimer()
			err = end(p)
			b.StartTimer()
			if err != nil {
				b.Fatal(err)
			}
		}
	}
	b.Run("launcher", func(b *testing.B) { run(b, (*Process).Kill) })
	b.Run("launcher and stop", func(b *testing.B) {
		run(b, func(p *Process) error {
			b.StartTimer()
			defer b.StopTimer()
			return p.Stop(0)
		})
	})
}

// BenchmarkHunt is what a stop costs beyond the end of its process: a look at every
// process of the machine.
func BenchmarkHunt(b *testing.B) {
	for b.Loop() {
		if err := hunt("ARENA_PROCESS=nobody.1\x00"); err != nil {
			b.Fatal(err)
		}
	}
}
