// Package seat is what stands behind an [arena.Seat]: on the referee's side a [Client] that speaks to a subject on NATS,
// on the bot's side a [Host] that runs a bot's process and answers the subject with what it says. Neither knows where
// the other is.
//
// [Local] has both on this machine. [Remote] is the referee's side where a network lies between them, and where whoever runs the
// bot is not trusted; the other side is a [remote.Host], for which a [Program] plays by processes.
//
// The host starts the bot, keeps its pipes flowing, measures its time and knows when it is gone. It judges no move and
// counts no strike.
package seat
