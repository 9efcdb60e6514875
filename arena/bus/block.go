package bus

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"

	"github.com/minio/highwayhash"
)

// The server keeps the messages of a stream in blocks, files of records without anything between them. The numbers of a
// record are little endian (nats-server v2.15, server/filestore.go):
//
//	4 bytes   its length, with the top bit set where there are headers
//	8 bytes   its sequence in the stream; a tombstone has the second bit from the top set, what was erased the top bit
//	8 bytes   the time
//	2 bytes   the length of the subject
//	...       the subject, then, where there are headers, 4 bytes with their length, then headers and data
//	8 bytes   a HighwayHash of all but the lengths, under a key made of the names of stream and block
//
// That hash says nothing of the length of the headers, so their end is looked for.
//
// The server itself cuts a block off at the first record that it cannot read, and so loses what is whole behind it. It looks
// only when it reads the record, which may be long after it has counted it.
const (
	recordHead  = 4 + 8 + 8 + 2
	recordSum   = 8
	recordMost  = 32 << 20
	bitHeaders  = 1 << 31
	bitsRemoved = 3 << 62
)

// span is a part of a block in which no record can be read: [from, to).
type span struct{ from, to int }

// blockReader knows the key of one block.
type blockReader struct {
	hash hash.Hash
	sum  []byte
}

func newBlockReader(stream string, block int) (*blockReader, error) {
	key := sha256.Sum256(fmt.Appendf(nil, "%s-%d", stream, block))
	h, err := highwayhash.New64(key[:])
	return &blockReader{hash: h}, err
}

// length is what the record at the beginning of data says of its own length, and 0 where that cannot be.
func (r *blockReader) length(data []byte) int {
	if len(data) < recordHead {
		return 0
	}
	head := binary.LittleEndian.Uint32(data)
	length, rest := int(head&^bitHeaders), int(binary.LittleEndian.Uint16(data[20:]))+recordSum
	if head&bitHeaders != 0 {
		rest += 4
	}
	if length < recordHead+rest || length > len(data) || length > recordMost {
		return 0
	}
	return length
}

// whole gives the length of the record at the beginning of data, and 0 if it is not as it was written.
func (r *blockReader) whole(data []byte) int {
	length := r.length(data)
	if length == 0 {
		return 0
	}
	subject := int(binary.LittleEndian.Uint16(data[20:]))
	body := recordHead + subject
	r.hash.Reset()
	r.hash.Write(data[4:20])
	r.hash.Write(data[recordHead:body])
	if binary.LittleEndian.Uint32(data)&bitHeaders != 0 {
		body += 4
		if !headed(data[body-4 : length-recordSum]) {
			return 0
		}
	}
	r.hash.Write(data[body : length-recordSum])
	if r.sum = r.hash.Sum(r.sum[:0]); string(r.sum) != string(data[length-recordSum:length]) {
		return 0
	}
	return length
}

// What headers begin and end with.
const (
	headersBegin = "NATS/1.0"
	headersEnd   = "\r\n\r\n"
)

// headed reports whether what begins with a length begins with headers of that length.
func headed(data []byte) bool {
	length, headers := uint64(binary.LittleEndian.Uint32(data)), data[4:]
	end := bytes.Index(headers, []byte(headersEnd))
	return end >= 0 && length == uint64(end+len(headersEnd)) && bytes.HasPrefix(headers, []byte(headersBegin))
}

// damage gives the parts of a block that cannot be read, in their order, and the number of records that can.
func (r *blockReader) damage(data []byte) (bad []span, whole int) {
	last := uint64(0)
	for at := 0; at < len(data); {
		if length := r.whole(data[at:]); length > 0 {
			last = sequence(data[at:])
			at += length
			whole++
			continue
		}
		next := r.next(data, at, last)
		bad = append(bad, span{from: at, to: next})
		at = next
	}
	return bad, whole
}

// far is more than the sequences of two neighbours in a block can differ by, unless much between them was removed.
const far = 1 << 40

// next finds the first whole record after the bad one at a place.
func (r *blockReader) next(data []byte, at int, last uint64) int {
	if next := at + r.length(data[at:]); next > at && r.whole(data[next:]) > 0 {
		return next
	}
	for next := at + 1; next+recordHead < len(data); next++ {
		if sequence(data[next:]) < last+far && r.whole(data[next:]) > 0 { // the first is quick, and rules out nearly all
			return next
		}
	}
	return len(data)
}

// sequence is that of a record, removed or not.
func sequence(data []byte) uint64 { return binary.LittleEndian.Uint64(data[4:]) &^ bitsRemoved }
