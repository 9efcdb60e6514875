// Command go plays, and in its first turns starts sessions that nobody waits for, keeps pipes and writes to each place it
// can think of. Some day it panics, hangs up and stays, ends, or does not end when it is told to quit.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

func main() {
	mark, err := os.ReadFile("mark")
	if err != nil {
		panic(err)
	}
	name := strings.TrimSpace(string(mark)) + ".go"
	var kept []*os.File
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	turns := 0
	for lines.Scan() {
		var message struct {
			Type string `json:"type"`
			Turn int64  `json:"turn"`
		}
		if err := json.Unmarshal(lines.Bytes(), &message); err != nil {
			panic(err)
		}
		switch message.Type {
		case "hello":
			fmt.Println(`{"type":"ready"}`)
		case "turn":
			note := ""
			if turns++; turns <= 3 {
				kept = append(kept, openMany()...)
				note = leave(name)
			}
			endSomeDay()
			fmt.Printf("{\"type\":\"move\",\"turn\":%d,\"action\":0,\"note\":\"go %s\"}\n", message.Turn, note)
		case "quit":
			if rand.IntN(10) == 0 {
				time.Sleep(time.Hour)
			}
		}
	}
	fmt.Fprintln(os.Stderr, len(kept))
}

func openMany() (files []*os.File) {
	for range 20 {
		r, w, err := os.Pipe()
		if err != nil {
			return files
		}
		files = append(files, r, w)
	}
	return files
}

// leave says what it could leave behind.
func leave(name string) string {
	var done []string
	cmd := exec.Command("sleep", "1000")
	cmd.Env = []string{}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if cmd.Start() == nil {
		done = append(done, "session")
	}
	for _, dir := range []string{".", "/", "/tmp", "/dev/shm", "/dev", "/var/tmp", "/run"} {
		if os.WriteFile(filepath.Join(dir, name), []byte("left"), 0o666) == nil {
			done = append(done, dir)
		}
	}
	return strings.Join(done, " ")
}

func endSomeDay() {
	switch rand.IntN(30) {
	case 0:
		panic("no idea")
	case 1:
		os.Stdout.Close()
		time.Sleep(time.Hour)
	case 2:
		os.Exit(0)
	}
}
