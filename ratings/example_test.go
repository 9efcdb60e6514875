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

func ExamplePairs() {
	var pairs ratings.Pairs
	for deal := range 60 {
		set := ratings.DealSet{
			Deal: fmt.Sprint("spring-1 ", deal), Bots: []string{"greedy", "random", "fox"},
			Ranks: [][]int{{1, 3, 2}, {2, 3, 1}, {1, 2, 3}},
		}
		if deal%3 == 0 {
			set.Ranks = [][]int{{3, 1, 2}, {2, 3, 1}, {2, 3, 1}}
		}
		if err := pairs.Add(set); err != nil {
			fmt.Println(err)
			return
		}
	}
	fit, err := pairs.Fit(ratings.FitConfig{Anchor: "random"})
	if err != nil {
		fmt.Println(err)
		return
	}
	ranges := fit.RankRanges(ratings.Bootstrap{Seed: 1})
	for i, row := range fit.Rows {
		fmt.Printf("%d. %-7s %4.0f", row.Rank, row.Bot, row.Rating)
		if row.Interval != nil {
			fmt.Printf(" from %.0f to %.0f", row.Interval.Low, row.Interval.High)
		}
		fmt.Printf(", rank %d to %d\n", ranges[i].Low, ranges[i].High)
	}
	difference, err := fit.Difference("greedy", "fox")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("greedy is better than fox with %.0f %%\n", 100*difference.Superiority)
	// Output:
	// 1. greedy  1729 from 1681 to 1777, rank 1 to 2
	// 2. fox     1701 from 1695 to 1706, rank 1 to 2
	// 3. random  1500, rank 3 to 3
	// greedy is better than fox with 86 %
}

func ExampleSequential() {
	scores, err := ratings.Pentanomial([5]int{200, 557, 1005, 643, 249}) // pairs of games with 0, 1/2, 1, 3/2 and 2 points
	if err != nil {
		fmt.Println(err)
		return
	}
	verdict, err := ratings.Sequential{Elo0: 0, Elo1: 5}.Test(scores)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%v: %.2f in %.2f to %.2f\n", verdict.Decision, *verdict.LLR, verdict.Lower, verdict.Upper)
	// Output: accept-h1: 2.97 in -2.94 to 2.94
}
