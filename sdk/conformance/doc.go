// Package conformance tests the SDKs of all languages: each plays the transcripts of protocol/testdata as a process of its own,
// and two bots in six languages play the same games.
package conformance
