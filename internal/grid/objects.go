package grid

import (
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
	"strconv"
	"strings"
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
//   - Chunks are sent in a window of chunkWindow messages. The Put of the NATS client sends
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
	// chunkWindow is the number of chunks that wait for their acknowledgement.
	chunkWindow = 4
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
	js     jetstream.JetStream // with a window of chunkWindow messages
	bucket string
}

// newObjectStore returns the object store in a bucket, which need not exist yet.
func newObjectStore(nc *nats.Conn, bucket string) (*objectStore, error) {
	js, err := jetstream.New(nc, jetstream.WithPublishAsyncMaxPending(chunkWindow), jetstream.WithPublishAsyncTimeout(stallLimit))
	if err != nil {
		return nil, err
	}
	return &objectStore{js, bucket}, nil
}

// put stores the bytes of r under a name and returns the reference to them. The caller
// tries again if the error may pass.
func (s *objectStore) put(ctx context.Context, name string, r io.Reader) (Object, error) {
	u := &upload{s: s, ctx: ctx, id: nuid.Next(), digest: sha256.New(), chunk: s.chunkSize()}
	digest := sha256.New()
	z, err := zstd.NewWriter(u, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return Object{}, err
	}
	size, err := io.Copy(io.MultiWriter(z, digest), r)
	if e := z.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = u.flush()
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

// An upload is a writer of the chunks of an object.
type upload struct {
	s      *objectStore
	ctx    context.Context
	id     string    // of the chunks
	digest hash.Hash // of the chunks
	size   int64     // of the chunks
	chunks uint32
	chunk  int                      // largest size
	buf    []byte                   // less than a chunk
	window []jetstream.PubAckFuture // chunks without acknowledgement, in order
}

// Write implements [io.Writer].
func (u *upload) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		k := min(len(p), u.chunk-len(u.buf))
		u.buf = append(u.buf, p[:k]...)
		p = p[k:]
		if len(u.buf) == u.chunk {
			if err := u.send(); err != nil {
				return 0, err
			}
		}
	}
	return n, nil
}

// flush sends the last chunk and waits for all acknowledgements.
func (u *upload) flush() error {
	if len(u.buf) > 0 {
		if err := u.send(); err != nil {
			return err
		}
	}
	for len(u.window) > 0 {
		if err := u.await(); err != nil {
			return err
		}
	}
	return nil
}

// send sends a chunk.
func (u *upload) send() error {
	if len(u.window) == chunkWindow {
		if err := u.await(); err != nil {
			return err
		}
	}
	chunk := u.buf
	u.buf = nil
	u.digest.Write(chunk)
	u.size += int64(len(chunk))
	u.chunks++
	f, err := u.s.js.PublishMsgAsync(&nats.Msg{Subject: u.subject(), Data: chunk}, jetstream.WithRetryAttempts(0))
	if err != nil {
		return err
	}
	u.window = append(u.window, f)
	return nil
}

// await waits for the acknowledgement of the oldest chunk in the window.
func (u *upload) await() error {
	f := u.window[0]
	u.window = u.window[1:]
	select {
	case <-f.Ok():
		return nil
	case err := <-f.Err():
		return err
	case <-u.ctx.Done():
		return context.Cause(u.ctx)
	}
}

// subject returns the subject of the chunks.
func (u *upload) subject() string { return "$O." + u.s.bucket + ".C." + u.id }

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
	m := nats.NewMsg("$O." + u.s.bucket + ".M." + base64.URLEncoding.EncodeToString([]byte(name)))
	m.Header.Set(jetstream.MsgRollup, jetstream.MsgRollupSubject)
	m.Data = b
	ctx, cancel := context.WithTimeout(u.ctx, stallLimit)
	defer cancel()
	_, err = u.s.js.PublishMsg(ctx, m)
	return err
}

// stream returns the stream of the bucket.
func (s *objectStore) stream(ctx context.Context) (jetstream.Stream, error) {
	return s.js.Stream(ctx, "OBJ_"+s.bucket)
}

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
	info, err := c.info()
	if err != nil {
		return nil, err
	}
	c.id, c.left = info.NUID, info.Chunks
	z, err := zstd.NewReader(c, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(decoderMemory))
	if err != nil {
		return nil, c.damaged(err)
	}
	return &download{newVerifier(o, z), z, c}, nil
}

// A download is a reader of an object.
type download struct {
	*verifier
	z      *zstd.Decoder
	chunks *chunkReader
}

// Read implements [io.Reader]. If the store has delivered bytes that are not compressed
// data, the error is an [*objectError].
func (d *download) Read(p []byte) (int, error) {
	n, err := d.verifier.Read(p)
	if err != nil && err != io.EOF && !errors.As(err, new(*objectError)) && d.chunks.err == nil {
		err = d.chunks.damaged(err)
	}
	return n, err
}

// Close implements [io.Closer].
func (d *download) Close() error {
	d.z.Close()
	return nil
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
		c.next()
	}
	if c.err != nil {
		return 0, c.err
	}
	n := copy(p, c.buf)
	c.buf = c.buf[n:]
	return n, nil
}

// next reads the next chunk.
func (c *chunkReader) next() {
	bucket := c.s.bucket
	request := fmt.Appendf(nil, `{"seq":%d,"next_by_subj":"$O.%s.C.%s"}`, c.seq+1, bucket, c.id)
	m, err := c.request("$JS.API.DIRECT.GET.OBJ_"+bucket, request)
	if err != nil {
		c.err = err
		return
	}
	seq, err := strconv.ParseUint(m.Header.Get(jetstream.SequenceHeader), 10, 64)
	if err != nil || seq <= c.seq {
		c.err = fmt.Errorf("object %s: the server delivers message %q after %d", c.object.Name, m.Header.Get(jetstream.SequenceHeader), c.seq)
		return
	}
	c.seq, c.buf = seq, m.Data
	c.left--
}

// info returns the description of the object.
func (c *chunkReader) info() (*jetstream.ObjectInfo, error) {
	bucket := c.s.bucket
	m, err := c.request("$JS.API.DIRECT.GET.OBJ_"+bucket+".$O."+bucket+".M."+base64.URLEncoding.EncodeToString([]byte(c.object.Name)), nil)
	if err != nil {
		return nil, err
	}
	info := new(jetstream.ObjectInfo)
	switch err := json.Unmarshal(m.Data, info); {
	case err != nil:
		return nil, c.damaged(err)
	case info.Deleted || !ValidName(info.NUID):
		return nil, c.damaged(errors.New("it is deleted"))
	}
	return info, nil
}

// damaged returns an [*objectError].
func (c *chunkReader) damaged(err error) error { return &objectError{c.object, err.Error()} }

// request sends a request until it is answered. It gives up if there is no answer for
// stallLimit, or if several servers of a cluster say that they have no such message; one
// of them may lag behind.
func (c *chunkReader) request(subject string, request []byte) (*nats.Msg, error) {
	const answers = 5
	begin, missing := time.Now(), 0
	var wait pause
	for {
		m, err := directRequest(c.ctx, c.s.js.Conn(), subject, request)
		if err == nil {
			return m, nil
		}
		if errors.Is(err, errNoMessage) {
			missing++
		}
		switch {
		case missing == answers:
			return nil, c.damaged(errors.New("the store does not have all of it"))
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
}

// newVerifier returns a reader of the bytes of an object.
func newVerifier(o Object, r io.Reader) *verifier {
	return &verifier{object: o, r: r, left: o.Size, digest: sha256.New()}
}

// Read implements [io.Reader].
func (v *verifier) Read(p []byte) (int, error) {
	if v.left == 0 {
		return 0, v.end()
	}
	n, err := v.r.Read(p[:min(int64(len(p)), v.left)])
	v.left -= int64(n)
	v.digest.Write(p[:n])
	switch {
	case n > 0 && v.left == 0:
		return n, nil // the next call compares the hashes
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return n, &objectError{v.object, fmt.Sprintf("it ends %d bytes too early", v.left)}
	case err != nil:
		return n, fmt.Errorf("object %s: %w", v.object.Name, err)
	}
	return n, nil
}

// end compares the hashes.
func (v *verifier) end() error {
	if hex.EncodeToString(v.digest.Sum(nil)) != v.object.SHA256 {
		return &objectError{v.object, "its SHA-256 differs"}
	}
	return io.EOF
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
func (s *objectStore) purgeAbandoned(ctx context.Context, age time.Duration) (int, error) {
	stream, err := s.stream(ctx)
	if err != nil {
		return 0, err
	}
	prefix := "$O." + s.bucket + ".C."
	info, err := stream.Info(ctx, jetstream.WithSubjectFilter(prefix+"*"))
	if err != nil {
		return 0, err
	}
	named, err := s.namedUploads(ctx)
	if err != nil {
		return 0, err
	}
	purged := 0
	for subject := range info.State.Subjects {
		if named[strings.TrimPrefix(subject, prefix)] {
			continue
		}
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

// namedUploads returns the set of the uploads that have ended.
func (s *objectStore) namedUploads(ctx context.Context) (map[string]bool, error) {
	store, err := s.js.ObjectStore(ctx, s.bucket)
	if err != nil {
		return nil, err
	}
	objects, err := store.List(ctx)
	if err != nil && !errors.Is(err, jetstream.ErrNoObjectsFound) {
		return nil, err
	}
	named := make(map[string]bool, len(objects))
	for _, o := range objects {
		named[o.NUID] = true
	}
	return named, nil
}
