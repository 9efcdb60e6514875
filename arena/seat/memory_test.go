package seat

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/fivethreefive/fivethreefive/protocol"
)

const limit64 = "the limit is 64 MiB with all its processes; --memory raises it, or memory_mb in a tournament file"

// TestMemoryLine has what runtimes have said under a limit of 20 to 128 MiB.
func TestMemoryLine(t *testing.T) {
	for _, line := range []string{
		"fatal error: out of memory allocating heap arena map",
		"fatal error: runtime: cannot allocate memory",
		"runtime: out of memory: cannot allocate 4194304-byte block (67108864 in use)",
		"FATAL ERROR: Committing semi space failed. Allocation failed - JavaScript heap out of memory",
		"MemoryError",
		"OpenJDK 64-Bit Server VM warning: INFO: os::commit_memory(0x00007f20735d0000, 6225920, 0) failed; error='Not enough space' (errno=12)",
		"# There is insufficient memory for the Java Runtime Environment to continue.",
		"# Native memory allocation (malloc) failed to allocate 1048576 bytes. Error detail: AllocateHeap",
		"Exception in thread \"main\" java.lang.OutOfMemoryError: Java heap space",
		"Out of memory!",
		"bash: xrealloc: cannot allocate 20086784 bytes",
		"bot.sh: fork: Cannot allocate memory",
		"terminate called after throwing an instance of 'std::bad_alloc'",
		"memory allocation of 1073741824 bytes failed",
		"lua: not enough memory",
	} {
		assert.Equal(t, line, memoryLine("hello\n"+line+"\nbye\n"))
		assert.Equal(t, line, memoryLine(line), "without an end")
	}
	for _, text := range []string{"", "\n", "panic: no idea\n\ngoroutine 1 [running]:\n", "my memory of the cards", "[2:0x1] 34 ms: Scavenge, allocation failure"} {
		assert.Empty(t, memoryLine(text))
	}
	assert.Equal(t, "MemoryError: 1", memoryLine("MemoryError: 1\nMemoryError: 2\n"), "the first is the cause")
}

func TestExcerpt(t *testing.T) {
	trace := strings.Repeat("runtime.mallocgc()\n", 20)
	last := strings.TrimSuffix(trace, "\n")
	assert.Equal(t, "out of memory\n[...]\n"+last, excerpt("debug\nout of memory\n"+trace))
	assert.Equal(t, "out of memory\n"+last[len("runtime.mallocgc()\n"):], excerpt("out of memory\n"+trace[len("runtime.mallocgc()\n"):]), "it is no line twice")
	assert.Equal(t, last, excerpt("debug\n"+trace))
	assert.Equal(t, strings.Repeat("out of memory", 15)+"out o\n[...]\n"+last, excerpt(strings.Repeat("out of memory", 1000)+"\n"+trace))
	assert.Equal(t, "out of memory\ufffd\n[...]\n"+last, excerpt("out of memory\xff\xfe\n"+trace))
	assert.Empty(t, excerpt(""))
}

// TestLackOfMemory ends a bot in every way that memory has a part in.
func TestLackOfMemory(t *testing.T) {
	const said = "fatal error: out of memory\n"
	for _, tt := range []struct {
		name   string
		killed bool
		memory int64
		stderr string
		fault  protocol.Code
		detail string
	}{
		{"killed for it", true, 64 << 20, "", protocol.Memory, "it used more memory than it may: " + limit64},
		{"killed for it, whatever the limit", true, 0, "", protocol.Memory, "it used more memory than it may"},
		{"told of it", false, 64 << 20, said, protocol.Crash, "exit status 2; its stderr tells of a lack of memory: " + limit64},
		{"told of it without a limit", false, 0, said, protocol.Crash, "exit status 2"},
		{"said something else", false, 64 << 20, "no idea\n", protocol.Crash, "exit status 2"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			converse(t, func(t *testing.T, talk *talk, bot *fake) {
				bot.outOfMemory, bot.memory, bot.stderr = tt.killed, tt.memory, tt.stderr
				go func() {
					bot.hear(t)
					_ = bot.stdout.Close()
					bot.exit("exit status 2", false)
				}()
				want := answer{fault: tt.fault, report: protocol.FaultReport{Detail: tt.detail, Stderr: tt.stderr + "a\nlog"}}
				assert.Equal(t, want, talk.ask(turnLine(1), 1, limit))
			})
		})
	}
}

// TestUnready: under a small limit many programs end, or wait, before they can say anything.
func TestUnready(t *testing.T) {
	const hint = "; perhaps it lacks memory: " + limit64
	died := answer{fault: protocol.Crash, report: protocol.FaultReport{Detail: "signal: segmentation fault"}}
	spoke := died
	spoke.report.Stderr = "syntax error"
	waits := answer{fault: protocol.Timeout, report: protocol.FaultReport{Detail: "no answer within 3s"}}
	killed := answer{fault: protocol.Memory, report: protocol.FaultReport{Detail: "it used more memory than it may"}}
	for _, tt := range []struct {
		answer answer
		memory int64
		detail string
	}{
		{died, 64 << 20, "before ready: signal: segmentation fault" + hint},
		{died, 512 << 20, "before ready: signal: segmentation fault"},
		{died, 0, "before ready: signal: segmentation fault"},
		{spoke, 64 << 20, "before ready: signal: segmentation fault"},
		{waits, 64 << 20, `not ready within 3s; answer hello with {"type":"ready"} and flush` + hint},
		{waits, 512 << 20, `not ready within 3s; answer hello with {"type":"ready"} and flush`},
		{killed, 64 << 20, "before ready: it used more memory than it may"},
	} {
		got := unready(tt.answer, 3*time.Second, tt.memory)
		assert.Equal(t, protocol.StartFault, got.fault)
		assert.Equal(t, tt.detail, got.report.Detail)
	}
	ready := answer{line: []byte(`{"type":"ready"}`)}
	assert.Equal(t, ready, unready(ready, time.Second, 64<<20))
}

func TestStartHint(t *testing.T) {
	died := errors.New("its first process died")
	assert.Equal(t, "; perhaps it lacks memory: "+limit64, startHint(died, 64<<20))
	assert.Empty(t, startHint(died, 512<<20))
	assert.Empty(t, startHint(fmt.Errorf("bot.py: %w", fs.ErrNotExist), 64<<20))
}
