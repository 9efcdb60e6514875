package schedule

// SeatOrders returns the seat orders in which k bots play the same deals: the rows of a Williams square, k of them when k
// is even and 2k when it is odd. row[seat] is the index of the bot in its table, seats go clockwise, and row 0 is the
// identity. It returns nil for k below 2.
//
// In all rows together every bot holds every seat equally often (once, or twice when k is odd), and every bot sits directly
// after every other equally often (the same) as long as one reads a row from its first to its last seat.
//
// Play goes round the table, though, and so the bot of seat 0 also follows that of the last seat. With this pair the balance
// stays exact for k = 2 and k = 3 (each bot follows each other twice and three times). For other k no set of that many rows
// can be exact, as k, or 2k, neighbourhoods of a bot are not a multiple of its k-1 opponents; here they differ by one, the
// least possible: each bot follows each other once or twice for even k, twice or three times for k = 5.
//
// When k is odd, the first k rows alone balance the seats and the second k are their mirror images.
//
// Source: E. J. Williams, Experimental designs balanced for the estimation of residual effects of treatments (1949).
func SeatOrders(k int) [][]int {
	if k < 2 {
		return nil
	}
	zigzag := make([]int, k) // 0, 1, k-1, 2, k-2, ...: neighbours differ by every amount modulo k
	name := make([]int, k)   // what to call a bot so that the first row is the identity
	for seat := range zigzag {
		zigzag[seat] = (seat + 1) / 2
		if seat%2 == 0 {
			zigzag[seat] = (k - seat/2) % k
		}
		name[zigzag[seat]] = seat
	}
	var rows [][]int
	for shift := range k {
		row := make([]int, k)
		for seat, bot := range zigzag {
			row[seat] = name[(bot+shift)%k]
		}
		rows = append(rows, row)
	}
	if k%2 == 0 {
		return rows
	}
	for _, row := range rows {
		mirror := make([]int, k)
		for seat, bot := range row {
			mirror[k-1-seat] = bot
		}
		rows = append(rows, mirror)
	}
	return rows
}
