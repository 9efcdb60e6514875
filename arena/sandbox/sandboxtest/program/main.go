// Program is a cage or a warden for tests.
package main

import (
	"log"
	"os"

	"github.com/fivethreefive/fivethreefive/arena/sandbox"
)

func main() {
	if len(os.Args) != 2 || os.Args[1] != "warden" {
		log.Fatal("this program is a cage or a warden")
	}
	if err := sandbox.Warden(os.Stdin, os.Stdout); err != nil {
		log.Fatal(err)
	}
}
