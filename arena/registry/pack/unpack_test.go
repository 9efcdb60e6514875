package pack_test

import (
	"archive/tar"
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"

	"github.com/fivethreefive/fivethreefive/arena/registry/pack"
)

// evil makes a package by hand.
func evil(t *testing.T, write func(*tar.Writer)) []byte {
	t.Helper()
	var out bytes.Buffer
	zip, err := zstd.NewWriter(&out)
	require.NoError(t, err)
	w := tar.NewWriter(zip)
	write(w)
	require.NoError(t, zip.Close())
	return out.Bytes()
}

func file(name string) *tar.Header {
	return &tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: 0o644}
}

func entry(header *tar.Header) func(*tar.Writer) {
	return func(w *tar.Writer) {
		_ = w.WriteHeader(header) // what it does not let through cannot come either
		_ = w.Flush()
	}
}

// zeros is a file of that many bytes.
func zeros(name string, size int64) func(*tar.Writer) {
	return func(w *tar.Writer) {
		header := file(name)
		header.Size = size
		_ = w.WriteHeader(header)
		_, _ = io.CopyN(w, nothing{}, size)
	}
}

// sized says that so much follows, and leaves it out.
func sized(name string, size int64) func(*tar.Writer) {
	return func(w *tar.Writer) {
		header := file(name)
		header.Size = size
		_ = w.WriteHeader(header)
	}
}

type nothing struct{}

func (nothing) Read(b []byte) (int, error) {
	clear(b)
	return len(b), nil
}

func both(writes ...func(*tar.Writer)) func(*tar.Writer) {
	return func(w *tar.Writer) {
		for _, write := range writes {
			write(w)
		}
	}
}

// TestEvil: what would harm whoever unpacks it is refused in words, and leaves nothing outside of the folder.
func TestEvil(t *testing.T) {
	many := func(w *tar.Writer) {
		for i := range pack.MaxFiles + 1 {
			_ = w.WriteHeader(file(fmt.Sprint(i)))
		}
	}
	link := func(kind byte, name, to string) func(*tar.Writer) {
		return entry(&tar.Header{Typeflag: kind, Name: name, Linkname: to, Mode: 0o777})
	}
	for name, test := range map[string]struct {
		write func(*tar.Writer)
		want  string
	}{
		"parent":            {entry(file("../evil")), "leads out of the folder"},
		"parent within":     {entry(file("a/../../evil")), "leads out of the folder"},
		"absolute":          {entry(file("/tmp/evil")), "leads out of the folder"},
		"unclean":           {entry(file("a//evil")), "leads out of the folder"},
		"itself":            {entry(file(".")), "leads out of the folder"},
		"windows":           {entry(file(`..\evil`)), "a backslash or a colon"},
		"drive":             {entry(file(`C:evil`)), "a backslash or a colon"},
		"symbolic link":     {link(tar.TypeSymlink, "a", "/etc"), "is a link, a device"},
		"hard link":         {link(tar.TypeLink, "a", "/etc/passwd"), "is a link, a device"},
		"through a link":    {both(link(tar.TypeSymlink, "a", "/tmp"), entry(file("a/evil"))), "is a link, a device"},
		"device":            {link(tar.TypeBlock, "a", ""), "is a link, a device"},
		"character device":  {link(tar.TypeChar, "a", ""), "is a link, a device"},
		"pipe":              {link(tar.TypeFifo, "a", ""), "is a link, a device"},
		"twice":             {both(entry(file("a")), entry(file("a"))), "have one name"},
		"twice but case":    {both(entry(file("bot.py")), entry(file("Bot.py"))), `"bot.py" and "Bot.py" have one name where case does not count`},
		"file and folder":   {both(entry(file("a")), entry(file("a/b"))), "folder that comes before it"},
		"no folder":         {entry(file("a/b")), "folder that comes before it"},
		"not UTF-8":         {entry(&tar.Header{Typeflag: tar.TypeReg, Name: "a\xffb", Format: tar.FormatGNU}), "is not UTF-8"},
		"control character": {entry(file("a\x1b[2Jb")), "cannot be printed"},
		"long path":         {entry(file(strings.Repeat(strings.Repeat("d", 99)+"/", 3) + "f")), "shorten it"},
		"many files":        {many, "more than 10000 files"},
		"huge file":         {sized("sparse", 10<<30), "come to more than 256.0 MiB"},
		"one too much":      {both(zeros("a", 1), sized("b", pack.MaxUnpacked)), "come to more than 256.0 MiB"},
		"less than said":    {sized("a", 100), "damaged on its way"},
		"endless tail":      {both(zeros("a", 1), func(w *tar.Writer) { _ = w.Close() }), ""},
	} {
		t.Run(name, func(t *testing.T) {
			out := empty(t)
			_, err := pack.Unpack(t.Context(), bytes.NewReader(evil(t, test.write)), out)
			if test.want == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorIs(t, err, pack.ErrRefused)
			require.ErrorContains(t, err, test.want)
			beside, err := os.ReadDir(filepath.Dir(out))
			require.NoError(t, err)
			require.Len(t, beside, 1, "nothing lies beside the folder")
			require.NoFileExists(t, "/tmp/evil")
		})
	}
}

// TestBombAfterEnd: what follows the last file is read up to a bound.
func TestBombAfterEnd(t *testing.T) {
	var out bytes.Buffer
	zip, err := zstd.NewWriter(&out)
	require.NoError(t, err)
	w := tar.NewWriter(zip)
	require.NoError(t, w.WriteHeader(file("a")))
	require.NoError(t, w.Close())
	_, err = io.CopyN(zip, nothing{}, pack.MaxUnpacked+100<<20)
	require.NoError(t, err)
	require.NoError(t, zip.Close())
	require.Less(t, out.Len(), 1<<20)
	_, err = pack.Unpack(t.Context(), &out, empty(t))
	require.ErrorIs(t, err, pack.ErrRefused)
	require.ErrorContains(t, err, "it has more than")
}

// TestLargeWindow: a package that would need much memory to unpack is refused.
func TestLargeWindow(t *testing.T) {
	var out bytes.Buffer
	zip, err := zstd.NewWriter(&out, zstd.WithWindowSize(16<<20))
	require.NoError(t, err)
	w := tar.NewWriter(zip)
	zeros("a", 16<<20)(w)
	require.NoError(t, w.Close())
	require.NoError(t, zip.Close())
	_, err = pack.Unpack(t.Context(), &out, empty(t))
	require.ErrorIs(t, err, pack.ErrRefused)
}

// TestSetuid: of rights only that to execute is kept.
func TestSetuid(t *testing.T) {
	header := file("su")
	header.Mode = 0o6777
	out := empty(t)
	_, err := pack.Unpack(t.Context(), bytes.NewReader(evil(t, both(entry(header), func(w *tar.Writer) { _ = w.Close() }))), out)
	require.NoError(t, err)
	info, err := os.Stat(filepath.Join(out, "su"))
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o755), info.Mode())
}

// TestDamage: a package that was cut or changed on its way is no package.
func TestDamage(t *testing.T) {
	var packed bytes.Buffer
	_, err := pack.Pack(t.Context(), folder(t, map[string]string{"a": strings.Repeat("text ", 1000), "b": "x"}), &packed)
	require.NoError(t, err)
	for _, bad := range [][]byte{nil, packed.Bytes()[:packed.Len()/2], []byte("PK\x03\x04 a zip file")} {
		_, err := pack.Unpack(t.Context(), bytes.NewReader(bad), empty(t))
		require.ErrorIs(t, err, pack.ErrRefused)
		require.ErrorContains(t, err, "it is no package, or was damaged on its way")
	}
}
