package main

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write what is printed to the golden files")

// transcript runs commands one after the other, and keeps what a user would see.
type transcript struct {
	t    *testing.T
	dir  string
	text strings.Builder
}

// run runs a command whose words may name the folder of the test DIR.
func (s *transcript) run(line string) {
	s.t.Helper()
	o := arenaRun(s.t, strings.Fields(strings.ReplaceAll(line, "DIR", s.dir))...)
	s.text.WriteString("$ arena " + line + "\n" + o.out + o.errOut)
	if o.code != exitOK {
		s.text.WriteString("(exit " + string(rune('0'+o.code)) + ")\n")
	}
	s.text.WriteString("\n")
}

// compare requires what is in the golden file. Times and places differ from run to run.
func (s *transcript) compare(golden string) {
	s.t.Helper()
	text := strings.ReplaceAll(s.text.String(), s.dir, "DIR")
	text = regexp.MustCompile(`\d{4}-\d\d-\d\d \d\d:\d\d`).ReplaceAllString(text, "2026-01-02 03:04")
	path := filepath.Join("testdata", golden)
	if *update {
		require.NoError(s.t, os.MkdirAll("testdata", 0o755))
		require.NoError(s.t, os.WriteFile(path, []byte(text), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(s.t, err, "write it with: go test ./cmd/arena -run "+s.t.Name()+" -update")
	require.Equal(s.t, string(want), text)
}

// TestOrganiser is the life of a tournament as its organiser sees it, with the slips that are made on the way.
func TestOrganiser(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"ant", "bee", "cat", "dog", "elk"} {
		writeBot(t, dir, name, int(name[0]-'a')%2)
	}
	spring := "format = \"swiss\"\nstages = 3\nplayers = 2\nbots = [\"ant\", \"bee\", \"cat\", \"dog\"]\nseed = 5\nmove_ms = 60000\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "spring.toml"), []byte(spring), 0o600))
	s := &transcript{t: t, dir: dir}
	for _, line := range []string{
		"tournament list --data DIR/data",
		"tournament show spring --data DIR/data",
		"tournament new DIR/spring.toml --data DIR/data",
		"tournament new DIR/spring.toml --data DIR/data",
		"tournament list --data DIR/data",
		"tournament show spring --data DIR/data",
		"tournament pairings spring --data DIR/data",
		"tournament pairings spring --stage 1 --data DIR/data",
		"tournament pause spring --data DIR/data",
		"tournament resume spring --data DIR/data",
		"tournament export spring --data DIR/data",
		"tournament start sprng --data DIR/data",
		"tournament start winter --data DIR/data",
		"tournament add spring DIR/elk --data DIR/data",
		"tournament add spring DIR/elk --data DIR/data",
		"tournament drop spring bee elks --data DIR/data",
		"tournament drop spring bee --data DIR/data",
		"tournament drop spring bee --data DIR/data",
		"tournament drop spring DIR/bee --data DIR/data",
		"tournament add spring DIR/bee --data DIR/data",
		"tournament drop spring DIR/bee --data DIR/data",
		"tournament start spring --data DIR/data",
		"tournament start spring --data DIR/data",
		"tournament pause spring --data DIR/data",
		"tournament pause spring --data DIR/data",
		"tournament show spring --data DIR/data",
		"tournament resume spring --data DIR/data",
		"tournament requeue spring --data DIR/data",
		"tournament requeue spring 1 --data DIR/data",
		"tournament requeue spring --all --data DIR/data",
		"worker list --data DIR/data",
		"tournament run DIR/spring.toml --data DIR/data --unsafe-no-sandbox --no-replays -q --json --no-times",
	} {
		if strings.Contains(line, " run ") {
			succeed(t, strings.Fields(strings.ReplaceAll(line, "DIR", dir))...)
			continue
		}
		s.run(line)
	}
	for _, line := range []string{
		"tournament list --data DIR/data",
		"tournament show spring --data DIR/data",
		"tournament standings spring --no-times --data DIR/data",
		"tournament pairings spring --data DIR/data",
		"tournament pairings spring --stage 2 --json --data DIR/data",
		"tournament pairings spring --stage 4 --data DIR/data",
		"tournament watch spring --data DIR/data",
		"tournament cancel spring --data DIR/data",
		"tournament add spring greedy --data DIR/data",
		"tournament export spring -o DIR/spring.jsonl --data DIR/data",
		"tournament import DIR/spring.jsonl --data DIR/data",
		"tournament import DIR/spring.jsonl --data DIR/other",
		"tournament import DIR/spring.jsonl --data DIR/other",
		"tournament export spring --no-times -o DIR/bare.jsonl --data DIR/data",
		"tournament import DIR/bare.jsonl --data DIR/other",
		"tournament import DIR/bare.jsonl --data DIR/bare",
		"tournament import DIR/bare.jsonl --data DIR/bare",
		"tournament import DIR/spring.jsonl --data DIR/bare",
		"tournament list --data DIR/bare",
		"tournament requeue spring 99 --data DIR/bare",
		"tournament import DIR/spring.toml --data DIR/other",
		"tournament import DIR/nothing --data DIR/other",
		"tournament standings spring --no-times --data DIR/other",
		"tournament new DIR/spring.toml --seed 6 --data DIR/third",
		"tournament cancel spring --data DIR/third",
		"tournament cancel spring --data DIR/third",
		"tournament start spring --data DIR/third",
		"tournament import DIR/spring.jsonl --data DIR/third",
		"tournament remove spring --data DIR/third",
		"tournament import DIR/spring.jsonl --data DIR/third",
	} {
		s.run(line)
	}
	s.compare("organiser.txt")
}
