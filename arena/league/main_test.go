package league_test

import (
	"flag"
	"testing"

	"go.uber.org/goleak"
)

// TestMain lets more tests run at the same time than there are processors, since most of them wait, and leaves nothing behind.
func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", "8"); err != nil {
		panic(err)
	}
	goleak.VerifyTestMain(m)
}
