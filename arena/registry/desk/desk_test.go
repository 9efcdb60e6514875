//go:build linux

package desk_test

import (
	"archive/tar"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/nats-io/nats.go"
	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena"
	"github.com/fivethreefive/fivethreefive/arena/bus"
	"github.com/fivethreefive/fivethreefive/arena/check"
	"github.com/fivethreefive/fivethreefive/arena/registry"
	"github.com/fivethreefive/fivethreefive/arena/registry/catalog"
	"github.com/fivethreefive/fivethreefive/arena/registry/desk"
	"github.com/fivethreefive/fivethreefive/arena/registry/pack"
	"github.com/fivethreefive/fivethreefive/arena/sandbox"
	"github.com/fivethreefive/fivethreefive/arena/sandbox/sandboxtest"
	"github.com/fivethreefive/fivethreefive/engine"
)

func TestMain(m *testing.M) { sandboxtest.Main(m) }

const script = `while read -r m; do case $m in '{"type":"hello"'*) echo '{"type":"ready"}' ;; '{"type":"turn"'*)
  t=${m#*'"turn":'}; echo '{"type":"move","turn":'"${t%%,*}"',"action":0}' ;; esac
done
`

// office is a desk with its catalog, and a connection of a submitter's.
type office struct {
	desk.Desk

	bus *bus.Bus
	nc  *nats.Conn
}

func open(t *testing.T) office {
	t.Helper()
	b, err := bus.Open(bus.Config{Dir: t.TempDir(), Reserve: -1})
	require.NoError(t, err)
	t.Cleanup(b.Close)
	launcher, err := sandbox.New(sandboxtest.Config(true))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, launcher.Close()) })
	rules, err := engine.NewRules(engine.Rulebook, 2)
	require.NoError(t, err)
	cfg := check.Config{
		Launcher: launcher, Settings: arena.DefaultSettings(rules), Building: registry.DefaultBuildLimits(), Version: "1.0.0", Games: 1, Jobs: 1,
		Grace: time.Minute, Scratch: t.TempDir(), House: []registry.Bot{{Name: "ann", Version: "1", Args: []string{"/bin/sh", "-c", script}}},
		Resolver: registry.Resolver{Builtins: map[string]string{"greedy": "1"}},
	}
	cfg.Settings.Clock.MoveMS, cfg.Settings.Limits.StartupMS = 60_000, 60_000
	connect := func(name string) *nats.Conn {
		nc, failure := b.Connect(name)
		require.NoError(t, failure)
		return nc
	}
	cfg.Referees, cfg.Hosts = connect("referee"), connect("hosts")
	all, err := catalog.Open(t.Context(), b)
	require.NoError(t, err)
	noon := time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	return office{Desk: desk.Desk{Catalog: all, Check: cfg, Now: func() time.Time { return noon }}, bus: b, nc: connect("author")}
}

func manifest(version string) string {
	return fmt.Sprintf("name = \"foxy\"\nversion = %q\nlanguage = \"sh\"\nauthor = \"Ann\"\nrun = [\"sh\", \"bot.sh\"]\n", version)
}

func packed(t *testing.T, files map[string]string) *bytes.Buffer {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	var out bytes.Buffer
	_, err := pack.Pack(t.Context(), dir, &out)
	require.NoError(t, err)
	return &out
}

func foxy(t *testing.T, version, more string) *bytes.Buffer {
	return packed(t, map[string]string{"bot.toml": manifest(version), "bot.sh": script + more})
}

func submit(t *testing.T, o office, archive *bytes.Buffer) desk.Receipt {
	t.Helper()
	receipt, err := o.Submit(t.Context(), desk.Owner, archive, nil)
	require.NoError(t, err)
	left, err := os.ReadDir(o.Check.Scratch)
	require.NoError(t, err)
	require.Empty(t, left)
	return receipt
}

// TestVersions: a version is taken in once and never changes; the latest that is in use is what the name means.
func TestVersions(t *testing.T) {
	o := open(t)
	first := submit(t, o, foxy(t, "1", ""))
	require.True(t, first.Report.Passed, "%+v", first.Report.Steps)
	require.False(t, first.Known)
	again := submit(t, o, foxy(t, "1", ""))
	require.True(t, again.Known)
	require.Empty(t, again.Report.Steps, "it was not checked again")
	require.Contains(t, submit(t, o, foxy(t, "1", "# other")).Refusal, "raise version in its bot.toml")
	require.True(t, submit(t, o, foxy(t, "1.1+b", "# other")).Report.Passed)

	bot, err := o.Catalog.Bot(t.Context(), "foxy")
	require.NoError(t, err)
	require.Equal(t, "1.1+b", bot.Active)
	require.Len(t, bot.Versions, 2)
	require.Equal(t, catalog.Version{
		Version: "1", Digest: first.Report.Package.Digest, Language: "sh", Author: "Ann", Files: 2, Bytes: first.Report.Package.Bytes,
		Packed: first.Report.Package.Packed, Submitted: o.Now(),
	}, bot.Versions[0])
	report, err := o.Catalog.Log(t.Context(), "foxy", "1.1+b")
	require.NoError(t, err)
	require.True(t, report.Passed)

	require.NoError(t, o.Catalog.Retire(t.Context(), "foxy", "1.1+b"))
	require.Equal(t, "1", find(t, o, "").Version)
	require.True(t, find(t, o, "1.1+b").Retired)
	require.NoError(t, o.Catalog.Retire(t.Context(), "foxy", "1"))
	bot, err = o.Catalog.Bot(t.Context(), "foxy")
	require.NoError(t, err)
	_, err = bot.Find("")
	require.ErrorContains(t, err, "all versions are retired")
	require.NoError(t, o.Catalog.Activate(t.Context(), "foxy", "1"))
	require.Equal(t, "1", find(t, o, "").Version)
	require.ErrorIs(t, o.Catalog.Activate(t.Context(), "foxy", "2"), catalog.ErrUnknown)
	_, err = o.Catalog.Bot(t.Context(), "fox")
	require.ErrorIs(t, err, catalog.ErrUnknown)
	all, err := o.Catalog.Bots(t.Context())
	require.NoError(t, err)
	require.Len(t, all, 1)
}

func find(t *testing.T, o office, version string) catalog.Version {
	t.Helper()
	bot, err := o.Catalog.Bot(t.Context(), "foxy")
	require.NoError(t, err)
	found, err := bot.Find(version)
	require.NoError(t, err)
	return found
}

// TestRefused: what is no fit bot leaves nothing in the catalog.
func TestRefused(t *testing.T) {
	o := open(t)
	for want, archive := range map[string]*bytes.Buffer{
		"has no bot.toml":     packed(t, map[string]string{"bot.sh": script}),
		"that of a built-in":  packed(t, map[string]string{"bot.toml": "name = \"greedy\"\nversion = \"1\"\nrun = [\"sh\"]\n"}),
		"leads out of":        escaping(t),
		"it is no package":    bytes.NewBufferString("hello"),
		"one name where case": packedTwins(t),
	} {
		require.Contains(t, submit(t, o, archive).Refusal, want)
	}
	crashes := submit(t, o, packed(t, map[string]string{"bot.toml": manifest("1"), "bot.sh": "exit 3\n"}))
	require.Empty(t, crashes.Refusal)
	require.False(t, crashes.Report.Passed)
	o.Check.Building.Time = 300 * time.Millisecond
	hangs := submit(t, o, packed(t, map[string]string{"bot.toml": manifest("1") + "build = [\"sleep\", \"600\"]\n", "bot.sh": script}))
	require.Equal(t, check.Failed, hangs.Report.Steps[2].State)
	all, err := o.Catalog.Bots(t.Context())
	require.NoError(t, err)
	require.Empty(t, all)
}

func byHand(t *testing.T, names ...string) *bytes.Buffer {
	t.Helper()
	var out bytes.Buffer
	zip, err := zstd.NewWriter(&out)
	require.NoError(t, err)
	w := tar.NewWriter(zip)
	for _, name := range names {
		require.NoError(t, w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: 0o644}))
	}
	require.NoError(t, w.Close())
	require.NoError(t, zip.Close())
	return &out
}

func escaping(t *testing.T) *bytes.Buffer    { return byHand(t, "../evil") }
func packedTwins(t *testing.T) *bytes.Buffer { return byHand(t, "bot.toml", "BOT.toml") }

// send submits to whoever serves the desk.
func (o office) send(t *testing.T, archive []byte, told func(desk.Progress)) (desk.Receipt, error) {
	t.Helper()
	return desk.Sender{Conn: o.nc, Told: told}.Send(t.Context(), bytes.NewReader(archive), int64(len(archive)))
}

// serve opens the desk, and gives what closes it.
func (o office) serve(t *testing.T) (closed func()) {
	t.Helper()
	stop, err := o.Serve(t.Context(), o.nc, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	return func() {
		require.NoError(t, stop())
		left, err := os.ReadDir(o.Check.Scratch)
		require.NoError(t, err)
		require.Empty(t, left)
	}
}

// TestServed: a submitter leaves the check to whoever serves the desk, and nothing of what was sent stays on the way.
func TestServed(t *testing.T) {
	o := open(t)
	noise := make([]byte, 1<<20)
	_, _ = rand.NewChaCha8([32]byte{}).Read(noise)
	archive := foxy(t, "1", "exit\n"+string(noise)).Bytes()
	require.Greater(t, len(archive), 1<<20, "it comes in parts")
	_, err := o.send(t, archive, nil)
	require.ErrorIs(t, err, desk.ErrNobody)
	closed := o.serve(t)
	var told []desk.Progress
	receipt, err := o.send(t, archive, func(p desk.Progress) { told = append(told, p) })
	require.NoError(t, err)
	require.True(t, receipt.Report.Passed)
	require.Equal(t, receipt.Report.Package.Digest, find(t, o, "1").Digest)
	require.Equal(t, desk.Progress{Size: int64(len(archive))}, told[0])
	require.Equal(t, desk.Progress{Sent: int64(len(archive)), Size: int64(len(archive))}, told[len(told)-1])
	receipt, err = o.send(t, []byte("no package"), nil)
	require.NoError(t, err)
	require.Contains(t, receipt.Refusal, "it is no package")
	_, err = desk.Sender{Conn: o.nc}.Send(t.Context(), nil, pack.MaxPacked+1)
	require.ErrorContains(t, err, "the most is 67108864")
	_, err = desk.Sender{Conn: o.nc}.Send(t.Context(), bytes.NewReader(archive), int64(len(archive))+1)
	require.ErrorContains(t, err, "the package did not come as it was sent; submit it again")
	require.Contains(t, o.ask(t, bus.Begin, "", "{oops").Header.Get("Nats-Service-Error"), "the request is not understood")
	closed()
	require.Equal(t, []string{receiptDigest(t, o)}, o.objects(t))
}

// ask sends one request of an author's.
func (o office) ask(t *testing.T, verb, where, text string) *nats.Msg {
	t.Helper()
	answer, err := o.nc.RequestWithContext(t.Context(), bus.SubmitSubject("local", verb, where), []byte(text))
	require.NoError(t, err)
	return answer
}

// TestServedLater: who has too much on its way is told so, and comes in when there is room.
func TestServedLater(t *testing.T) {
	o := open(t)
	defer o.serve(t)()
	var begun struct{ Desk, Upload string }
	for range 2 {
		require.NoError(t, json.Unmarshal(o.ask(t, bus.Begin, "", `{"size":10}`).Data, &begun))
	}
	waits := ""
	receipt, err := o.send(t, []byte("no package"), func(p desk.Progress) {
		if p.Waits != "" && waits == "" { // one is given up
			m := nats.NewMsg(bus.SubmitSubject("local", bus.Finish, begun.Desk))
			m.Header.Set("Arena-Upload", begun.Upload)
			_, err := o.nc.RequestMsgWithContext(t.Context(), m)
			require.NoError(t, err)
			waits = p.Waits
		}
	})
	require.NoError(t, err)
	require.Equal(t, "2 of your bots are on their way already, which is the most", waits)
	require.Contains(t, receipt.Refusal, "it is no package")
}

func receiptDigest(t *testing.T, o office) string { return find(t, o, "1").Digest }

// objects lists the names of all that is kept as a package.
func (o office) objects(t *testing.T) (names []string) {
	t.Helper()
	all, err := o.Catalog.Kept(t.Context())
	require.NoError(t, err)
	return all
}

// TestShelf: a submitted bot is fetched once, built confined, and is what its digest says.
func TestShelf(t *testing.T) {
	o := open(t)
	receipt := submit(t, o, packed(t, map[string]string{
		"bot.toml": manifest("1") + "build = [\"sh\", \"-c\", \"id -u > who; cp bot.sh built.sh\"]\n", "bot.sh": script,
	}))
	require.True(t, receipt.Report.Passed, "%+v", receipt.Report.Steps)
	shelf := catalog.Shelf{
		Dir: filepath.Join(t.TempDir(), "packages"), Resolver: o.Check.Resolver, Limits: registry.DefaultBuildLimits(),
		Launcher: func() (*sandbox.Launcher, error) { return o.Check.Launcher, nil },
	}
	bot, err := shelf.Get(t.Context(), o.Catalog, receipt.Report.Package.Digest)
	require.NoError(t, err)
	require.Equal(t, "foxy@1", bot.Label())
	require.Empty(t, bot.Build, "it is built")
	digest, err := bot.Digest()
	require.NoError(t, err)
	require.Equal(t, receipt.Report.Package.Digest, digest)
	who, err := os.ReadFile(filepath.Join(bot.Dir, "who"))
	require.NoError(t, err)
	require.Equal(t, "1000\n", string(who), "it was confined")
	require.FileExists(t, filepath.Join(bot.Dir, "built.sh"))
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	same, err := shelf.Get(gone, nil, digest)
	require.NoError(t, err, "it is there, and nobody is asked")
	require.Equal(t, bot, same)
	_, err = shelf.Get(t.Context(), o.Catalog, "../../etc")
	require.ErrorContains(t, err, "is no digest")
	dir := filepath.Join(t.TempDir(), "copy")
	require.NoError(t, o.Catalog.Download(t.Context(), digest, dir))
	require.FileExists(t, filepath.Join(dir, "bot.sh"))
	require.ErrorIs(t, o.Catalog.Download(t.Context(), digest, dir), os.ErrExist)
	left, err := os.ReadDir(shelf.Dir)
	require.NoError(t, err)
	require.Len(t, left, 1)
}
