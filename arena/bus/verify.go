package bus

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/minio/highwayhash"

	"github.com/fivethreefive/fivethreefive/arena/bus/access"
)

// Names that the server gives to files of a stream.
const (
	metaFile  = "meta.inf"
	metaSum   = "meta.sum"
	indexFile = "index.db"
	msgsDir   = "msgs"
	obsDir    = "obs"
	blockEnds = ".blk"
)

// finding is something in the files of the store that is not as it was written.
type finding struct {
	place    place
	consumer string // not empty for the configuration of one
	block    int    // 0 for the configuration of the stream or of the consumer
	bad      []span
}

// verifier reads the files of a store that nobody uses.
type verifier struct {
	dir     string // with the folders of the streams
	unclean bool   // the last program that used the store ended without closing it
	long    bool   // the messages of the long streams are read as well
	whole   int    // records that could be read
	strange bool   // there are bytes that are neither that nor the beginning of one
}

func streamsPath(dir string) string {
	return filepath.Join(dir, storeDir, "jetstream", access.ArenaAccount, "streams")
}

// errFormat is wrapped by the error for a store of which nothing can be read. Where a disk is damaged something is left, but a server
// of another version may write its records in another way.
var errFormat = errors.New("not one of its messages can be read, so it was probably written by another version of the arena: use that one. " +
	"Else import the exports that are in the folder, or a copy of them, into a new data folder. Nothing was changed")

// all gives what is damaged. Damage seldom comes alone: where there is any, the long streams are read as well.
func (v *verifier) all() ([]finding, error) {
	found, err := v.look()
	if err == nil && len(found) > 0 && !v.long {
		v.long = true
		found, err = v.look()
	}
	if err == nil && v.strange && v.whole == 0 {
		err = errFormat
	}
	return found, err
}

// look gives what is damaged.
func (v *verifier) look() (found []finding, err error) {
	for _, p := range places() {
		stream := p.stream()
		if _, err := os.Stat(filepath.Join(v.dir, stream)); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if !sealed(filepath.Join(v.dir, stream), stream) {
			found = append(found, finding{place: p})
		}
		consumers, err := names(filepath.Join(v.dir, stream, obsDir))
		if err != nil {
			return nil, err
		}
		for _, name := range consumers {
			if !sealed(filepath.Join(v.dir, stream, obsDir, name), stream+"/"+name) {
				found = append(found, finding{place: p, consumer: name})
			}
		}
		if p.long && !v.long {
			continue
		}
		blocks, err := v.blocks(p)
		if err != nil {
			return nil, err
		}
		found = append(found, blocks...)
	}
	return found, nil
}

// sealed reports whether the configuration in a folder has its sum, which is made under a key of that name.
func sealed(dir, name string) bool {
	meta, err := os.ReadFile(filepath.Join(dir, metaFile))
	if err != nil || len(meta) == 0 {
		return false
	}
	sum, err := os.ReadFile(filepath.Join(dir, metaSum))
	if err != nil {
		return false
	}
	key := sha256.Sum256([]byte(name))
	actual := highwayhash.Sum64(meta, key[:])
	text := make([]byte, 8)
	for i := range text {
		text[i] = byte(actual >> (8 * i))
	}
	return string(bytes.TrimSpace(sum)) == hex.EncodeToString(text)
}

// blocks looks at all messages of a stream.
func (v *verifier) blocks(p place) (found []finding, err error) {
	dir := filepath.Join(v.dir, p.stream(), msgsDir)
	files, err := names(dir)
	if err != nil {
		return nil, err
	}
	var numbers []int
	for _, file := range files {
		if number, err := strconv.Atoi(strings.TrimSuffix(file, blockEnds)); err == nil && strings.HasSuffix(file, blockEnds) {
			numbers = append(numbers, number)
		}
	}
	slices.Sort(numbers)
	lengths := map[int]int{} // of the blocks
	for i, number := range numbers {
		data, err := os.ReadFile(blockPath(v.dir, p.stream(), number))
		if err != nil {
			return nil, err
		}
		lengths[number] = len(data)
		reader, err := newBlockReader(p.stream(), number)
		if err != nil {
			return nil, err
		}
		bad, whole := reader.damage(data)
		v.whole += whole
		v.strange = v.strange || slices.ContainsFunc(bad, func(s span) bool { return !begun(data[s.from:s.to]) })
		if n := len(bad); n > 0 && i == len(numbers)-1 && v.unclean && torn(reader, data, bad[n-1]) {
			bad = bad[:n-1] // it was being written, and was not acknowledged; the server leaves it out
		}
		if lost := len(data) == 0 && i < len(numbers)-1; lost || len(bad) > 0 {
			found = append(found, finding{place: p, block: number, bad: bad})
		}
	}
	if p.name == access.Bucket && len(found) > 0 {
		return distrusted(found[len(found)-1], lengths), nil
	}
	return found, nil
}

// distrusted has all go that was written before the last damage of a stream: what cannot be read may have been the revocation of
// whatever is there from before, of which the file still has the older form.
func distrusted(last finding, lengths map[int]int) (found []finding) {
	for number, length := range lengths {
		if number < last.block {
			found = append(found, finding{place: last.place, block: number, bad: []span{{from: 0, to: length}}})
		}
	}
	end := 0
	if n := len(last.bad); n > 0 {
		end = last.bad[n-1].to
	}
	return append(found, finding{place: last.place, block: last.block, bad: []span{{from: 0, to: end}}})
}

// torn reports whether a bad part is a record of which the end is missing.
func torn(r *blockReader, data []byte, bad span) bool {
	return bad.to == len(data) && r.length(data[bad.from:]) != bad.to-bad.from
}

// begun reports whether these may be the first bytes of a record, or such as a disk has had no time to fill.
func begun(data []byte) bool {
	if len(data) < recordHead {
		return true
	}
	length := int(binary.LittleEndian.Uint32(data) &^ bitHeaders)
	return length == 0 || length > len(data) && length <= recordMost
}

func blockPath(dir, stream string, number int) string {
	return filepath.Join(dir, stream, msgsDir, fmt.Sprint(number, blockEnds))
}

// names lists a folder that need not exist.
func names(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	all := make([]string, len(entries))
	for i, entry := range entries {
		all[i] = entry.Name()
	}
	return all, nil
}
