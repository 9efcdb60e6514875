// A bot in Go that needs several threads.
package main

import "fmt"

func main() {
	answers := make(chan int)
	go func() { answers <- 6 * 7 }()
	fmt.Println(<-answers)
}
