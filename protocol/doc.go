// Package protocol is the bot protocol, version 1: the messages, the lines they travel in, their subjects on NATS, and
// the replay format. README.md beside this file is the specification for authors of bots in any language.
//
// It reads and writes; it judges nothing. What a fault costs is the referee's business, and deadlines are kept where the
// pipe is read.
package protocol

// Version is the protocol version that hello announces.
const Version = 1

// Limits of the line protocol. A line's length is counted without its line end.
const (
	MaxLine    = 64 << 10 // bytes of a line in either direction
	MaxNote    = 1 << 10  // bytes of a move's note; the rest is cut off
	MaxStrays  = 1000     // stray prints in a game, more are a flood
	MaxOffence = 200      // bytes of an offending line that are kept
)
