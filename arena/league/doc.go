// Package league runs tournaments. A tournament is a fold of its log: the log begins with what was decided, and then says
// who came and went, what was paired, and what each match came to, once. Pairings, standings and ratings are computed from it,
// and none of them depends on the order in which matches ended. To resume is to fold, and to play what is missing.
//
// One [Coordinator] writes the log of a tournament; any number of [Worker] play, here or elsewhere. What they tell each other
// lies in streams, whose subjects package bus owns:
//
//	coordinator -> JOBS    -> worker       matches to be played; a match is queued once, until it is acknowledged
//	worker -> RESULTS      -> coordinator  whole results, one a match: the first counts
//	worker -> replays      -> coordinator  replays on the way to a folder, where the worker does not write them itself
//	worker -> REPORTS      -> coordinator  attempts that the arena could not play
//	coordinator -> EVENTS  -> everybody    the logs
//
// A worker sends replays, then the result, then the acknowledgement; the coordinator takes over a result by one event. After
// a crash between any two of these the rest is done again, and changes nothing that is done: a result has an expectation
// that only the first one meets, and an event one that only a single writer meets. No answer from the store means that
// nobody knows, and the same is sent again.
//
// It knows bots by their labels only; how they are started is the business of who plays.
package league
