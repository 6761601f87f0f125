package grid

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"slices"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"
)

// Objects are values that are too large for a message: the formula, large models and
// large proof segments. They are stored in an object store of the run, in the layout of
// NATS (ADR-20): chunks, each a message, and then one message with the name, the number
// of chunks and the digest. The clients of NATS can list and read them.
//
//   - An object is immutable. The message that refers to it has its size and SHA-256, and
//     a reader verifies both. So a store that loses or mixes up chunks causes an error of
//     the reader, and never a wrong formula or proof.
//   - The chunks are compressed by zstd. Proofs and formulas shrink to a third or half;
//     a message has hash and size of the value before compression.
//   - A value of up to MaxInline bytes is sent in the message that would refer to it.
//     With a server that syncs each message to disk, this saves two syncs.
//   - A chunk is sent when the one before is acknowledged. The Put of the NATS client sends
//     all chunks at once. On a server that syncs, a proof of a gigabyte then exceeds
//     the client's limit of pending messages. Chunks are never sent again: if an
//     acknowledgement is missing, the upload fails, and the caller starts another one. So
//     the order of chunks is the order of sending.
//   - Chunks are read one by one, each by a request of its own. The Get of the NATS client
//     lets the server push them. If the connection breaks meanwhile, it waits, and cannot
//     be interrupted. It also ends after a deadline for the whole object, however fast
//     the data arrive. Here, a request without answer is repeated, and a download ends if
//     no data arrive for stallLimit.
//   - The chunks of an upload that was interrupted have no message with a name. The
//     coordinator purges them when they are older than an upload can stall. Workers may
//     not purge, since the server could not tell their chunks from others.

const (
	// chunkSize is the size in bytes of the chunks of an object, below the default limit
	// of messages. A server that syncs does so for each chunk: in chunks of the client's
	// default of 128 KB, an object takes six times as many syncs.
	chunkSize = 768 << 10
	// decoderMemory limits the memory of a download. The encoder needs 4 MB of it.
	decoderMemory = 32 << 20
	// stallLimit is the time without progress after which a transfer fails.
	stallLimit = 30 * time.Second
	// abandoned is the age of the last chunk after which an upload without a name is
	// purged. No upload waits that long between two chunks.
	abandoned = 20 * stallLimit
)

// An objectStore stores the objects of a run.
type objectStore struct {
	streamTable
	bucket string
}

// newObjectStore returns the object store in a bucket, which need not exist yet.
func newObjectStore(nc *nats.Conn, bucket string) (*objectStore, error) {
	js, err := jetstream.New(nc)
	return &objectStore{streamTable{js: js, open: map[string]jetstream.Stream{}}, bucket}, err
}

// put stores the bytes of r under a name and returns the reference to them. The caller
// tries again if the error may pass.
func (s *objectStore) put(ctx context.Context, name string, r io.Reader) (Object, error) {
	u := &upload{s: s, ctx: ctx, id: nuid.Next(), digest: sha256.New(), chunk: s.chunkSize()}
	digest := sha256.New()
	chunks := bufio.NewWriterSize(u, u.chunk)
	z, err := zstd.NewWriter(chunks, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return Object{}, err
	}
	size, err := io.Copy(io.MultiWriter(z, digest), r)
	if e := z.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = chunks.Flush()
	}
	if err == nil {
		err = u.name(name)
	}
	if err != nil {
		return Object{}, fmt.Errorf("upload of %s: %w", name, err)
	}
	return Object{Name: name, SHA256: hex.EncodeToString(digest.Sum(nil)), Size: size}, nil
}

// putBytes stores a value.
func (s *objectStore) putBytes(ctx context.Context, name string, b []byte) (Object, error) {
	return s.put(ctx, name, bytes.NewReader(b))
}

// chunkSize returns the largest size of chunks that the server accepts.
func (s *objectStore) chunkSize() int {
	const header = 4 << 10 // subject and headers of a message
	return max(min(chunkSize, int(s.js.Conn().MaxPayload())-header), 1)
}

// chunks returns the subject of the chunks with an id, and meta that of the description of
// an object.
func (s *objectStore) chunks(id string) string { return "$O." + s.bucket + ".C." + id }
func (s *objectStore) meta(name string) string {
	return "$O." + s.bucket + ".M." + base64.URLEncoding.EncodeToString([]byte(name))
}

// An upload is a writer of the chunks of an object.
type upload struct {
	s      *objectStore
	ctx    context.Context
	id     string    // of the chunks
	digest hash.Hash // of the chunks
	size   int64     // of the chunks
	chunks uint32
	chunk  int // largest size
}

// Write implements [io.Writer]. It stores p in as few chunks as possible.
func (u *upload) Write(p []byte) (int, error) {
	for chunk := range slices.Chunk(p, u.chunk) {
		u.digest.Write(chunk)
		u.size += int64(len(chunk))
		u.chunks++
		if err := u.send(&nats.Msg{Subject: u.s.chunks(u.id), Data: chunk}); err != nil {
			return 0, err
		}
	}
	return len(p), nil
}

// send stores a message, and waits for its acknowledgement.
func (u *upload) send(m *nats.Msg) error {
	ctx, cancel := context.WithTimeout(u.ctx, stallLimit)
	defer cancel()
	_, err := u.s.js.PublishMsg(ctx, m, jetstream.WithRetryAttempts(0))
	return err
}

// name stores the name of the object, which ends the upload.
func (u *upload) name(name string) error {
	info := jetstream.ObjectInfo{
		ObjectMeta: jetstream.ObjectMeta{Name: name, Opts: &jetstream.ObjectMetaOptions{ChunkSize: uint32(u.chunk)}},
		Bucket:     u.s.bucket, NUID: u.id, Size: uint64(u.size), Chunks: u.chunks,
		Digest: jetstream.GetObjectDigestValue(u.digest),
	}
	b, err := json.Marshal(info)
	if err != nil {
		return err
	}
	m := &nats.Msg{Subject: u.s.meta(name), Data: b, Header: nats.Header{jetstream.MsgRollup: {jetstream.MsgRollupSubject}}}
	return u.send(m)
}

// streamName returns the name of the stream of the bucket.
func (s *objectStore) streamName() string { return "OBJ_" + s.bucket }

// An objectError reports that an object in the store is not the one that a message refers
// to, or that the store does not have it. Trying again does not help.
type objectError struct {
	object Object
	msg    string
}

// Error implements [error].
func (e *objectError) Error() string { return fmt.Sprintf("object %s: %s", e.object.Name, e.msg) }

// get returns a reader of an object. The last Read returns an [*objectError] instead of
// io.EOF if the size or the SHA-256 of the object differ from those in o. No Read returns
// more bytes than o.Size. The caller closes the reader.
func (s *objectStore) get(ctx context.Context, o Object) (io.ReadCloser, error) {
	c := &chunkReader{s: s, ctx: ctx, object: o}
	m, err := c.request(func() (*jetstream.RawStreamMsg, error) { return s.last(ctx, s.streamName(), s.meta(o.Name)) })
	if err != nil {
		return nil, err
	}
	info := new(jetstream.ObjectInfo)
	switch err := json.Unmarshal(m.Data, info); {
	case err != nil:
		return nil, &objectError{o, err.Error()}
	case info.Deleted || !ValidName(info.NUID):
		return nil, &objectError{o, "it is deleted"}
	}
	c.id, c.left = info.NUID, info.Chunks
	z, err := zstd.NewReader(c, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(decoderMemory))
	if err != nil {
		return nil, &objectError{o, err.Error()}
	}
	v := newVerifier(o, z)
	v.chunks = c
	return struct {
		io.Reader
		io.Closer
	}{v, z.IOReadCloser()}, nil
}

// A chunkReader reads the chunks of an object one after the other.
type chunkReader struct {
	s      *objectStore
	ctx    context.Context
	object Object
	id     string // of the chunks
	left   uint32 // chunks that are not read
	seq    uint64 // of the last chunk in its stream
	buf    []byte // rest of a chunk
	err    error  // the first error but io.EOF
}

// Read implements [io.Reader].
func (c *chunkReader) Read(p []byte) (int, error) {
	for len(c.buf) == 0 && c.err == nil {
		if c.left == 0 {
			return 0, io.EOF
		}
		c.left--
		var m *jetstream.RawStreamMsg
		m, c.err = c.request(func() (*jetstream.RawStreamMsg, error) {
			return c.s.message(c.ctx, c.s.streamName(), c.seq+1, jetstream.WithGetMsgSubject(c.s.chunks(c.id)))
		})
		if c.err == nil {
			c.seq, c.buf = m.Sequence, m.Data
		}
	}
	n := copy(p, c.buf)
	c.buf = c.buf[n:]
	return n, c.err
}

// request sends a request until it is answered. It gives up if there is no answer for
// stallLimit, or if several servers of a cluster say that they have no such message; one
// of them may lag behind.
func (c *chunkReader) request(send func() (*jetstream.RawStreamMsg, error)) (*jetstream.RawStreamMsg, error) {
	const answers = 5
	begin, missing := time.Now(), 0
	var wait pause
	for {
		m, err := send()
		if err == nil {
			return m, nil
		}
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			missing++
		}
		switch {
		case missing == answers:
			return nil, &objectError{c.object, "the store does not have all of it"}
		case time.Since(begin) > stallLimit:
			return nil, fmt.Errorf("object %s: %w", c.object.Name, err)
		case !wait.sleep(c.ctx):
			return nil, context.Cause(c.ctx)
		}
	}
}

// A verifier reads the bytes of an object and compares their SHA-256 at the end.
type verifier struct {
	object Object
	r      io.Reader
	left   int64 // bytes
	digest hash.Hash
	chunks *chunkReader // from which r reads, or nil
}

// newVerifier returns a reader of the bytes of an object.
func newVerifier(o Object, r io.Reader) *verifier {
	return &verifier{object: o, r: r, left: o.Size, digest: sha256.New()}
}

// Read implements [io.Reader]. Bytes that are not compressed data are an [*objectError].
func (v *verifier) Read(p []byte) (int, error) {
	if v.left == 0 {
		if hex.EncodeToString(v.digest.Sum(nil)) != v.object.SHA256 {
			return 0, &objectError{v.object, "its SHA-256 differs"}
		}
		return 0, io.EOF
	}
	n, err := v.r.Read(p[:min(int64(len(p)), v.left)])
	v.left -= int64(n)
	v.digest.Write(p[:n])
	switch {
	case n > 0 && v.left == 0:
		return n, nil // the next call compares the hashes
	case v.chunks != nil && v.chunks.err != nil:
		return n, v.chunks.err
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return n, &objectError{v.object, fmt.Sprintf("it ends %d bytes too early", v.left)}
	case err != nil:
		return n, &objectError{v.object, err.Error()}
	}
	return n, nil
}

// getBytes returns an object of at most limit bytes.
func (s *objectStore) getBytes(ctx context.Context, o Object, limit int64) ([]byte, error) {
	if o.Size > limit {
		return nil, &objectError{o, fmt.Sprintf("it has %d bytes: want at most %d", o.Size, limit)}
	}
	r, err := s.get(ctx, o)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(r)
}

// purgeAbandoned deletes the chunks of uploads that were interrupted, and returns the
// number of uploads. An upload may still continue if its last chunk is younger than a
// limit. The server measures both times.
func (s *objectStore) purgeAbandoned(ctx context.Context, age time.Duration) (purged int, err error) {
	stream, err := s.stream(ctx, s.streamName())
	if err != nil {
		return 0, err
	}
	info, err := stream.Info(ctx, jetstream.WithSubjectFilter(s.chunks("*")))
	if err != nil {
		return 0, err
	}
	store, err := s.js.ObjectStore(ctx, s.bucket)
	if err != nil {
		return 0, err
	}
	objects, err := store.List(ctx)
	if err != nil && !errors.Is(err, jetstream.ErrNoObjectsFound) {
		return 0, err
	}
	for _, o := range objects {
		delete(info.State.Subjects, s.chunks(o.NUID))
	}
	for subject := range info.State.Subjects {
		last, err := stream.GetLastMsgForSubject(ctx, subject)
		if errors.Is(err, jetstream.ErrMsgNotFound) || err == nil && info.TimeStamp.Sub(last.Time) < age {
			continue
		}
		if err == nil {
			err = stream.Purge(ctx, jetstream.WithPurgeSubject(subject))
		}
		if err != nil {
			return purged, err
		}
		purged++
	}
	return purged, nil
}
