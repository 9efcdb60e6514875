// Package league runs tournaments. A tournament is a fold of its log: the log begins with what is to be played, and each
// match adds its result once. Schedule, standings and ratings are computed from it and never stored, and none of them
// depends on the order in which matches ended. To resume is to fold, and to play what is missing.
//
// It knows bots by their labels only; how they are started is the business of the referee's seats.
package league
