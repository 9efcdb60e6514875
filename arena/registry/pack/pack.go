package pack

import (
	"archive/tar"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/klauspost/compress/zstd"
)

// Pack writes the package of a folder. What an error wraps tells whose it is: see [ErrRefused].
func Pack(ctx context.Context, dir string, out io.Writer) (Contents, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return Contents{}, err
	}
	defer func() { _ = root.Close() }()
	p := packer{ctx: ctx, root: root, inventory: newInventory(), out: &limited{Writer: out, left: MaxPacked}}
	if p.ignored, err = readIgnored(dir); err != nil {
		return Contents{}, err
	}
	compressed, err := zstd.NewWriter(p.out, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(window))
	if err != nil {
		return Contents{}, err
	}
	sum := sha256.New()
	p.tar = tar.NewWriter(io.MultiWriter(compressed, sum))
	err = fs.WalkDir(root.FS(), ".", p.visit)
	if err == nil {
		err = p.tar.Close()
	}
	if err = errors.Join(err, compressed.Close()); err != nil {
		return Contents{}, err
	}
	return Contents{
		Digest: hex.EncodeToString(sum.Sum(nil)), Files: len(p.inventory.spelled), Bytes: p.inventory.bytes, Packed: MaxPacked - p.out.left,
	}, nil
}

// window is how far back a package refers, which bounds the memory of whoever unpacks it.
const window = 4 << 20

type packer struct {
	ctx       context.Context //nolint:containedctx // the walk has no place for it
	root      *os.Root
	ignored   ignored
	inventory *inventory
	tar       *tar.Writer
	out       *limited
}

// visit is called for each name, in the order of their bytes within a folder.
func (p *packer) visit(name string, entry fs.DirEntry, err error) error {
	switch {
	case err != nil:
		return err
	case p.ctx.Err() != nil:
		return p.ctx.Err()
	case name == ".":
		return nil
	case p.ignored.has(name) && entry.IsDir():
		return fs.SkipDir
	case p.ignored.has(name):
		return nil
	case entry.IsDir() && isCache(p.root, name):
		return fs.SkipDir
	case entry.IsDir():
		if err := p.inventory.add(name, 0); err != nil {
			return err
		}
		return p.tar.WriteHeader(&tar.Header{Typeflag: tar.TypeDir, Name: name + "/", Mode: 0o755, Format: tar.FormatPAX})
	case !entry.Type().IsRegular():
		return refusef("%q is %s; a package holds files and folders only: put a copy in its place, or name it in %s", name, kindOf(entry.Type()), IgnoreName)
	default:
		return p.file(name)
	}
}

func kindOf(mode fs.FileMode) string {
	switch {
	case mode&fs.ModeSymlink != 0:
		return "a link"
	case mode&fs.ModeNamedPipe != 0:
		return "a pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	default:
		return "a device"
	}
}

// file packs what the file was when it was looked at. One that changes meanwhile is an error.
func (p *packer) file(name string) (err error) {
	info, err := p.root.Lstat(name)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%q has changed while it was packed; try again", name)
	}
	if err = p.inventory.add(name, info.Size()); err != nil {
		return err
	}
	file, err := p.root.Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // it was only read
	mode := int64(0o644)
	if info.Mode()&0o100 != 0 {
		mode = 0o755
	}
	header := &tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: mode, Size: info.Size(), Format: tar.FormatPAX}
	if err = p.tar.WriteHeader(header); err != nil {
		return err
	}
	n, err := io.Copy(p.tar, io.LimitReader(file, info.Size()))
	if err == nil && n < info.Size() {
		err = fmt.Errorf("%q has become shorter while it was packed; try again", name)
	}
	return err
}

// limited refuses what is too much.
type limited struct {
	io.Writer

	left int64
}

func (l *limited) Write(b []byte) (int, error) {
	if int64(len(b)) > l.left {
		return 0, refusef("the package has more than %s; leave out what the bot does not need to play, by a line in %s (.gitignore is not read)", size(MaxPacked), IgnoreName)
	}
	l.left -= int64(len(b))
	return l.Writer.Write(b)
}
