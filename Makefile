# make test is the whole check: it installs what it needs and a fresh machine lacks.
GOLANGCI_LINT_VERSION := v2.15.0
GOLANGCI_LINT := .tools/golangci-lint-$(GOLANGCI_LINT_VERSION)
GOVULNCHECK_VERSION := v1.9.0
GOVULNCHECK := .tools/govulncheck-$(GOVULNCHECK_VERSION)

.PHONY: test languages portable lint vulnerabilities race demo leftovers chaos bench fuzz build clean

test: languages portable lint vulnerabilities race demo

languages:
	.ci/languages

# The linter vets as well; this is about other systems.
portable:
	go -C .ci/portable run . ../.. windows darwin

lint: $(GOLANGCI_LINT)
	$(GOLANGCI_LINT) run ./...

$(GOLANGCI_LINT):
	GOBIN=$(CURDIR)/.tools go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_LINT_VERSION)
	mv .tools/golangci-lint $@

# Known holes that the code reaches. If Go itself has one, raise the toolchain in go.mod.
vulnerabilities: $(GOVULNCHECK)
	.ci/vulnerabilities $(GOVULNCHECK)

$(GOVULNCHECK):
	GOBIN=$(CURDIR)/.tools go install golang.org/x/vuln/cmd/govulncheck@$(GOVULNCHECK_VERSION)
	mv .tools/govulncheck $@

# The linter has vetted. Three packages are tested at once, since many tests wait, and those that take long begin first, so that none of them is alone at the end.
race:
	CGO_ENABLED=1 go test -race -vet=off -ldflags=-w -p 3 -timeout 30m ./cmd/arena ./arena/sandbox ./...

# The example bots of all languages in a real tournament without a fault, and every replay of it verified.
demo: build
	rm -rf .tools/demo
	.tools/arena tournament run --demo --strict --move-time 30s --start-time 60s --data .tools/demo >.tools/demo.txt
	.tools/arena replay verify .tools/demo/replays/demo-1-4seats .tools/demo/replays/demo-1-2seats >>.tools/demo.txt
	@tail -n 1 .tools/demo.txt

# Many games of bots that flee, hoard and die, and arenas that are killed: afterwards there is nothing more than before.
GAMES := 1000
leftovers:
	ARENA_TEST_GAMES=$(GAMES) CGO_ENABLED=1 go test -race -count 1 -timeout 3h -v -run LeavesNothing ./cmd/arena

build:
	go build -o .tools/arena ./cmd/arena

bench:
	go test -run '^$$' -bench . ./engine ./arena/sandbox ./arena/seat ./arena/schedule ./arena/league ./ratings

FUZZTIME := 30s
fuzz:
	go test -run '^$$' -fuzz FuzzGame -fuzztime $(FUZZTIME) ./engine
	go test -run '^$$' -fuzz FuzzAction -fuzztime $(FUZZTIME) ./engine
	go test -run '^$$' -fuzz FuzzReadBot -fuzztime $(FUZZTIME) ./protocol
	go test -run '^$$' -fuzz FuzzReadArena -fuzztime $(FUZZTIME) ./protocol
	go test -run '^$$' -fuzz FuzzLines -fuzztime $(FUZZTIME) ./protocol

# Kills the arena's processes a thousand times in the middle of a tournament, which must come to the same.
CHAOS_KILLS := 1000
chaos:
	ARENA_TEST_CHAOS=$(CHAOS_KILLS) go test -run '^TestChaos$$' -v -timeout 3h ./cmd/arena

clean:
	rm -rf .tools
