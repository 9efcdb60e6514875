package ratings_test

import (
	"fmt"

	"github.com/fivethreefive/fivethreefive/ratings"
)

func ExampleElo() {
	var elo ratings.Elo
	for _, set := range []ratings.DealSet{
		{Bots: []string{"greedy", "random"}, Ranks: [][]int{{1, 2}, {1, 2}}},
		{Bots: []string{"greedy", "random"}, Ranks: [][]int{{1, 2}, {2, 1}}},
		{Bots: []string{"random", "greedy", "fox"}, Ranks: [][]int{{3, 2, 1}, {3, 1, 1}, {2, 3, 1}}},
	} {
		if err := elo.Add(set); err != nil {
			fmt.Println(err)
			return
		}
	}
	for _, row := range elo.Table("random").Rows {
		fmt.Printf("%-7s %6.1f  %d deal sets\n", row.Bot, row.Rating, row.DealSets)
	}
	// Output:
	// fox     1524.0  1 deal sets
	// greedy  1523.0  3 deal sets
	// random  1500.0  3 deal sets
}
