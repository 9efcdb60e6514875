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
	"slices"
	"strings"
	"syscall"

	"github.com/klauspost/compress/zstd"
)

// Unpack fills an empty folder, which nobody else may use meanwhile. After an error there may be a part of the package in it.
// Files are readable by everybody, and may be executed if their owner could.
func Unpack(ctx context.Context, in io.Reader, dir string) (Contents, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return Contents{}, err
	}
	defer func() { _ = root.Close() }()
	packed := &counted{r: in, most: MaxPacked}
	plain, err := zstd.NewReader(packed, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(2*window), zstd.WithDecoderLowmem(true))
	if err != nil {
		return Contents{}, err
	}
	defer plain.Close()
	sum := sha256.New()
	stream := io.TeeReader(&counted{r: plain, most: MaxUnpacked + MaxFiles*headers}, sum)
	u := unpacker{root: root, tar: tar.NewReader(stream), inventory: newInventory()}
	if err := u.all(ctx); err != nil {
		return Contents{}, err
	}
	if _, err := io.Copy(io.Discard, stream); err != nil { // what follows the last file counts too
		return Contents{}, explain(err)
	}
	if len(u.inventory.spelled) == 0 {
		return Contents{}, explain(io.ErrUnexpectedEOF)
	}
	return Contents{
		Digest: hex.EncodeToString(sum.Sum(nil)), Files: len(u.inventory.spelled), Bytes: u.inventory.bytes, Packed: packed.n,
	}, nil
}

// headers is what each file may take besides its content: its header, with a long name, and what fills its last block.
const headers = 4 << 10

type unpacker struct {
	root      *os.Root
	tar       *tar.Reader
	inventory *inventory
}

func (u *unpacker) all(ctx context.Context) error {
	for ctx.Err() == nil {
		header, err := u.tar.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return explain(err)
		}
		if err := u.one(header); err != nil {
			return explain(err)
		}
	}
	return ctx.Err()
}

func (u *unpacker) one(header *tar.Header) error {
	name := header.Name
	switch header.Typeflag {
	case tar.TypeDir:
		name = strings.TrimSuffix(name, "/")
		if err := u.inventory.add(name, 0); err != nil {
			return err
		}
		if err := u.root.Mkdir(name, 0o755); err != nil {
			return err
		}
		return u.root.Chmod(name, 0o755) // whatever the umask is
	case tar.TypeReg:
		if err := u.inventory.add(name, header.Size); err != nil {
			return err
		}
		return u.file(header)
	default:
		return refusef("%.240q is a link, a device or of another kind (%q); a package holds files and folders only", name, header.Typeflag)
	}
}

// file writes a new file. The folder that it is in has to come before it.
func (u *unpacker) file(header *tar.Header) (err error) {
	mode := fs.FileMode(0o644)
	if header.Mode&0o100 != 0 {
		mode = 0o755
	}
	file, err := u.root.OpenFile(header.Name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if err = file.Chmod(mode); err != nil {
		return err
	}
	_, err = io.Copy(file, u.tar)
	return err
}

// explain tells a broken package from a broken machine.
func explain(err error) error {
	var path *fs.PathError
	switch {
	case errors.Is(err, ErrRefused):
		return err
	case errors.As(err, &path) && !slices.ContainsFunc([]error{fs.ErrNotExist, fs.ErrExist, syscall.ENOTDIR}, func(e error) bool { return errors.Is(err, e) }):
		return err
	case errors.As(err, &path):
		return refusef("%q does not lie in a folder that comes before it", path.Path)
	default:
		return refusal(fmt.Sprintf("it is no package, or was damaged on its way (%v); pack it again", err))
	}
}

// counted reads up to a bound.
type counted struct {
	r       io.Reader
	n, most int64
}

func (c *counted) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	if c.n += int64(n); c.n > c.most {
		return 0, refusef("it has more than %s", size(c.most))
	}
	return n, err
}
