package schedule_test

import (
	"fmt"

	"github.com/fivethreefive/fivethreefive/arena/schedule"
)

func ExampleRoundRobin() {
	stages, err := schedule.RoundRobin(5, 2, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, stage := range stages {
		fmt.Println("stage", i+1, "tables", stage.Tables, "bye", stage.Byes)
	}
	// Output:
	// stage 1 tables [[1 4] [2 3]] bye [0]
	// stage 2 tables [[4 2] [0 1]] bye [3]
	// stage 3 tables [[2 0] [3 4]] bye [1]
	// stage 4 tables [[0 3] [1 2]] bye [4]
	// stage 5 tables [[3 1] [4 0]] bye [2]
}

func ExampleSeatOrders() {
	table := []string{"fox", "owl", "cat", "elk"}
	for _, order := range schedule.SeatOrders(len(table)) {
		fmt.Println(table[order[0]], table[order[1]], table[order[2]], table[order[3]])
	}
	// Output:
	// fox owl cat elk
	// owl elk fox cat
	// elk cat owl fox
	// cat fox elk owl
}
