package protocol

// BotSubject is what a remote bot may hear: all of its seats, and what else is for it alone. The name has no version.
func BotSubject(bot string) string { return "arena.seat." + token(bot) + ".>" }

// ReplacedSubject is where a connection of a remote bot is told, in words, that another has taken its place.
func ReplacedSubject(bot string) string { return "arena.seat." + token(bot) + ".replaced" }
