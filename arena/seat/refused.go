package seat

import "strings"

// refused is what cards add where the stderr of a confined bot tells of something that its confinement keeps from it. The
// words are those of the system, as C, Go and bash print them, and of Python, Node.js and Java.
func refused(stderr string) string {
	small := strings.ToLower(stderr)
	for _, kind := range []struct {
		advice string
		words  []string
	}{
		{"; its stderr tells of the network, which no bot can reach; put all that it needs into its folder", []string{
			"network is unreachable", "enetunreach", // to connect
			"name resolution", "eai_again", "no such host", "could not resolve", "unknownhostexception", // to look up a name
			"address family not supported", "eafnosupport", // a socket of a kind that is not there
		}},
		{"; its stderr tells of a file that it may not use: a bot reads its own folder and what --allow-read lets it, and writes in /tmp only", []string{
			"read-only file system", "erofs", "permission denied", "eacces", "readonlyfilesystemexception", "accessdeniedexception",
		}},
		{"; its stderr tells of too many processes or threads; start fewer, since their number is limited", []string{
			"resource temporarily unavailable", "eagain", // to fork
			"can't start new thread", "create new os thread", "create native thread",
		}},
	} {
		for _, words := range kind.words {
			if strings.Contains(small, words) {
				return kind.advice
			}
		}
	}
	return ""
}
