package file

import (
	"bytes"
	"compress/bzip2"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"

	"sator/internal/fuzztest"
)

const text = "c compressed\np cnf 2 4\n1 2 0 -1 2 0 1 -2 0 -1 -2 0\n"

// bzip2Text is text as a bzip2 archive. The libraries have no writer for bzip2.
const bzip2Text = "\x42\x5a\x68\x39\x31\x41\x59\x26\x53\x59\xa9\xb8\x51\x12\x00\x00\x12\x59\x80\x00" +
	"\x10\x40\x02\x74\x00\x0f\x03\xd8\x00\x20\x00\x21\x2a\x9e\xd5\x19\x94\xfd\x53\x23" +
	"\xd4\x28\x69\xa6\x00\x33\xd5\x41\x92\x41\x21\xf3\xeb\xec\x07\x0d\x70\x81\x41\xe5" +
	"\xdf\xd7\x44\xdb\x9a\xfc\x5d\xc9\x14\xe1\x42\x42\xa6\xe1\x44\x48"

// packed returns s compressed in each format that can be written.
func packed(t testing.TB, s string) map[string][]byte {
	t.Helper()
	pack := func(open func(io.Writer) (io.WriteCloser, error)) []byte {
		var b bytes.Buffer
		w, err := open(&b)
		if err == nil {
			_, err = io.WriteString(w, s)
		}
		if err == nil {
			err = w.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	all := map[string][]byte{
		"":     []byte(s),
		"gzip": pack(func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriter(w), nil }),
		"xz": pack(func(w io.Writer) (io.WriteCloser, error) {
			return xz.WriterConfig{DictCap: 64 << 10}.NewWriter(w) // small, to be fast
		}),
		"zstd": pack(func(w io.Writer) (io.WriteCloser, error) {
			return zstd.NewWriter(w, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(64<<10))
		}),
	}
	if s == text {
		all["bzip2"] = []byte(bzip2Text)
	}
	return all
}

func TestOpen(t *testing.T) {
	for format, data := range packed(t, text) {
		// The name does not matter, even if it has the ending of another format.
		for _, name := range []string{"plain", "f.gz", "f.xz"} {
			path := filepath.Join(t.TempDir(), name)
			write(t, path, data)
			f, err := Open(path)
			if err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(f)
			if err != nil || string(got) != text || f.Compression() != format || f.Name() != path {
				t.Errorf("%s: got %q, %v, compression %q", format, got, err, f.Compression())
			}
			if err := f.Close(); err != nil {
				t.Error(err)
			}
			if _, err := f.Read(make([]byte, 1)); !errors.Is(err, os.ErrClosed) {
				t.Errorf("%s: got %v after Close", format, err)
			}
		}
	}
}

// write writes a file.
func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestMembers reads several members as one input.
func TestMembers(t *testing.T) {
	for format, data := range packed(t, text) {
		if format == "" {
			continue
		}
		double := slices.Concat(data, data)
		if got, err := decompress(double); err != nil || got != text+text {
			t.Errorf("%s: got %q, %v", format, got, err)
		}
		if got, err := decompress(slices.Concat(data, data[:len(data)-1])); err == nil || !strings.HasPrefix(text+text, got) {
			t.Errorf("%s, second cut: got %q, %v", format, got, err)
		}
	}
}

// decompress returns the decompressed data.
func decompress(data []byte) (string, error) {
	r, err := Decompress(bytes.NewReader(data))
	if err != nil {
		return "", err
	}
	defer r.Close()
	b, err := io.ReadAll(r)
	return string(b), err
}

// TestXzPadding reads archives that are padded with zeros, in groups of four as
// the xz format requires.
func TestXzPadding(t *testing.T) {
	data := packed(t, text)["xz"]
	for _, n := range []int{4, 8, 20000} {
		pad := make([]byte, n)
		if got, err := decompress(slices.Concat(data, pad)); err != nil || got != text {
			t.Errorf("%d zeros behind: got %q, %v", n, got, err)
		}
		if got, err := decompress(slices.Concat(data, pad, data)); err != nil || got != text+text {
			t.Errorf("%d zeros between: got %q, %v", n, got, err)
		}
		if got, err := decompress(slices.Concat(data, pad, data[:12])); err == nil {
			t.Errorf("%d zeros and half an archive: got %q", n, got)
		}
		if got, err := decompress(slices.Concat(data, pad[1:])); err == nil {
			t.Errorf("%d zeros behind: got %q", n-1, got)
		}
	}
}

// TestCut checks that an archive that is cut anywhere gives an error, after a
// prefix of the text.
func TestCut(t *testing.T) {
	long := strings.Repeat(text, 700)
	for _, s := range []string{text, long} {
		for format, data := range packed(t, s) {
			if format == "" {
				continue
			}
			for n := range data {
				if n < 2 {
					continue // too short to be recognized
				}
				got, err := decompress(data[:n])
				if err == nil || !strings.HasPrefix(s, got) {
					t.Fatalf("%s, %d of %d bytes: got %d bytes, %v", format, n, len(data), len(got), err)
				}
				if want := "the " + format + " archive is "; !strings.HasPrefix(err.Error(), want) {
					t.Fatalf("%s, %d of %d bytes: got %v", format, n, len(data), err)
				}
			}
		}
	}
}

// TestCutMagic checks that a proper prefix of a magic is read as a truncated
// archive if it is the whole input.
func TestCutMagic(t *testing.T) {
	for _, f := range formats {
		for n := 2; n < len(f.magic); n++ {
			got, err := decompress([]byte(f.magic[:n]))
			if want := "the " + f.name + " archive is cut off: unexpected EOF"; err == nil || err.Error() != want {
				t.Errorf("%q: got %q, %v; want %s", f.magic[:n], got, err, want)
			}
			other := f.magic[:n] + " 1 0\n"
			if got, err := decompress([]byte(other)); err != nil || got != other {
				t.Errorf("%q: got %q, %v", other, got, err)
			}
		}
	}
}

// TestGzipTrailing checks that zeros after a gzip archive are padding, and that
// other bytes that are no member are an error.
func TestGzipTrailing(t *testing.T) {
	data := packed(t, text)["gzip"]
	double := slices.Concat(data, data)
	const trailing = "trailing bytes after the end of the archive"
	const cut = "the gzip archive is cut off: unexpected EOF"
	for _, test := range []struct{ behind, want string }{
		{"\x00", ""},
		{strings.Repeat("\x00", 200_000), ""},
		{"\n", trailing},
		{"x", trailing},
		{"more text, longer than a header", trailing},
		{"\x1fx", trailing},
		{"\x00x", trailing},
		{strings.Repeat("\x00", 200_000) + "x", trailing},
		{strings.Repeat("\x00", 512) + string(data), trailing},
		{"\x1f", cut},
		{"\x1f\x8b", cut},
		{"\x1f\x8b\x08", cut},
		{"\x1f\x8b\x07 this is no known method", "the gzip archive is damaged: gzip: invalid header"},
	} {
		got, err := decompress(slices.Concat(double, []byte(test.behind)))
		message := ""
		if err != nil {
			message = err.Error()
		}
		if got != text+text || message != test.want {
			t.Errorf("with %.20q behind: got %q, %v; want %q", test.behind, got, err, test.want)
		}
	}
}

// TestDrain checks that Drain finds the wrong checksum after damaged data.
func TestDrain(t *testing.T) {
	for format, data := range packed(t, strings.Repeat(text, 1000)) {
		if format == "" {
			continue
		}
		drain(t, format, data, "")
		drain(t, format, data[:len(data)-1], "the "+format+" archive is cut off: unexpected EOF")
	}
	drain(t, "text", []byte(text), "")

	// The text is a single block of bzip2. Its checksum begins at byte 10, and is
	// compared at its end.
	bad := []byte(bzip2Text)
	bad[10] ^= 1
	drain(t, "bzip2", bad, "the bzip2 archive is damaged: bzip2 data invalid: block checksum mismatch")
}

// drain checks that Drain returns the error want, twice, and that Read does so
// too after the first byte.
func drain(t *testing.T, format string, data []byte, want string) {
	t.Helper()
	f, err := Decompress(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(f, make([]byte, 1)); err != nil && err.Error() != want {
		t.Fatalf("%s: %v", format, err)
	}
	for range 2 {
		err := f.Drain()
		if want == "" && err != nil || want != "" && (err == nil || err.Error() != want) {
			t.Errorf("%s: got %v, want %q", format, err, want)
		}
	}
	if _, err := f.Read(make([]byte, 1)); want != "" && (err == nil || err.Error() != want) {
		t.Errorf("%s: Read gave %v, want %q", format, err, want)
	}
	f.Close()
	if err := f.Drain(); !errors.Is(err, os.ErrClosed) {
		t.Errorf("%s: got %v after Close", format, err)
	}
}

// TestDrainText checks that Drain does not read plain data.
func TestDrainText(t *testing.T) {
	src := strings.NewReader(strings.Repeat(text, 1000))
	f, err := Decompress(src)
	if err != nil {
		t.Fatal(err)
	}
	left := src.Len()
	if err := f.Drain(); err != nil || src.Len() != left {
		t.Errorf("got %v, with %d bytes left of %d", err, src.Len(), left)
	}
}

// TestDamaged checks that a damaged byte gives an error or the correct text: a
// name or a time in a header may change unnoticed.
func TestDamaged(t *testing.T) {
	for format, data := range packed(t, text) {
		if format == "" {
			continue
		}
		for i := magicLen; i < len(data); i++ {
			for _, bit := range []byte{1, 0x10, 0x80, 0xff} {
				bad := slices.Clone(data)
				bad[i] ^= bit
				if got, err := decompress(bad); err == nil && got != text {
					t.Errorf("%s, byte %d: got %q", format, i, got)
				}
			}
		}
		if got, err := decompress(append(slices.Clone(data), "more"...)); err == nil {
			t.Errorf("%s with text behind it: got %q", format, got)
		}
	}
}

func TestErrorsNameTheFile(t *testing.T) {
	dir := t.TempDir()
	for format, data := range packed(t, text) {
		if format == "" {
			continue
		}
		path := filepath.Join(dir, format)
		write(t, path, data[:len(data)-3])
		f, err := Open(path)
		if err == nil {
			_, err = io.ReadAll(f)
			f.Close()
		}
		if want := path + ": the " + format + " archive is cut off: unexpected EOF"; err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
		if !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%v is not io.ErrUnexpectedEOF", err)
		}
	}
	if _, err := Open(filepath.Join(dir, "none")); !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), "none") {
		t.Errorf("got %v", err)
	}
	if f, err := Open(dir); err == nil || !strings.Contains(err.Error(), dir) {
		t.Errorf("a directory: got %v, %v", f, err)
	}
	for _, other := range []string{"PK\x03\x04....", "LZIP\x01...", "7z\xbc\xaf\x27\x1c..", "\x1f\x9d\x90...", "\x04\x22\x4d\x18...."} {
		path := filepath.Join(dir, "other")
		write(t, path, []byte(other))
		if _, err := Open(path); err == nil || !strings.HasPrefix(err.Error(), path) || !strings.HasSuffix(err.Error(), "archives are not supported") {
			t.Errorf("%q: got %v", other, err)
		}
	}
}

// TestSourceError checks that an error of the source is not reported as a
// damaged archive.
func TestSourceError(t *testing.T) {
	broken := errors.New("broken")
	for format, data := range packed(t, strings.Repeat(text, 20000)) {
		for n := range 30 {
			fuzztest.CheckBrokenAt(t, data, n, func(src io.Reader) error {
				r, err := Decompress(src)
				if err == nil {
					_, err = io.ReadAll(r)
				}
				return err
			})
		}
		for _, n := range []int{0, 3, 20, len(data) / 2} {
			r, err := Decompress(io.MultiReader(bytes.NewReader(data[:n]), iotest.ErrReader(broken)))
			if err == nil {
				_, err = io.ReadAll(r)
			}
			if err == nil || err.Error() != "broken" || !errors.Is(err, broken) {
				t.Errorf("%s, after %d bytes: got %v", format, n, err)
			}
		}
	}
}

// A stuckReader returns its bytes and then neither bytes nor an error.
type stuckReader struct{ *bytes.Reader }

func (s stuckReader) Read(p []byte) (int, error) {
	n, _ := s.Reader.Read(p)
	return n, nil
}

// TestStuckSource checks that a source without progress is an error, also while its
// first bytes are read, and for readers that read up to the end.
func TestStuckSource(t *testing.T) {
	for format, data := range packed(t, text) {
		for _, n := range []int{0, 1, 3, len(data) - 9, len(data)} {
			r, err := Decompress(stuckReader{bytes.NewReader(data[:max(0, n)])})
			if err == nil {
				_, err = io.ReadAll(r)
			}
			if !errors.Is(err, io.ErrNoProgress) {
				t.Errorf("%s, after %d bytes: error %v", format, n, err)
			}
		}
	}
}

func TestSlowSource(t *testing.T) {
	for format, data := range packed(t, text) {
		r, err := Decompress(iotest.OneByteReader(bytes.NewReader(data)))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(r); err != nil || string(got) != text {
			t.Errorf("%s: got %q, %v", format, got, err)
		}
	}
	for _, short := range []string{"", "p", "\x1f", "B", "BA", "p cnf"} {
		if got, err := decompress([]byte(short)); err != nil || got != short {
			t.Errorf("%q: got %q, %v", short, got, err)
		}
	}
}

// TestResources checks that reading starts no goroutine, and that a header
// cannot make it allocate gigabytes.
func TestResources(t *testing.T) {
	before := runtime.NumGoroutine()
	for format, data := range packed(t, strings.Repeat(text, 20000)) {
		r, err := Decompress(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(r, make([]byte, 100_000)); err != nil {
			t.Fatal(err)
		}
		if n := runtime.NumGoroutine(); n > before {
			t.Errorf("%s: %d goroutines more", format, n-before)
		}
		r.Close()
	}
	// The dictionary of an xz archive is in its 16th byte; 4 GB minus 1 here.
	huge := packed(t, text)["xz"]
	huge[16] = 40
	binary.LittleEndian.PutUint32(huge[20:], crc32.ChecksumIEEE(huge[12:20]))
	want := "the xz archive is damaged: a dictionary of 4294967296 bytes is above the limit of 1073741824"
	if got, err := decompress(huge); err == nil || err.Error() != want {
		t.Errorf("got %q, %v; want %s", got, err, want)
	}
	// A frame with a window of 2 GB and one raw block of a byte.
	frame := []byte{0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xa8, 0x09, 0x00, 0x00, 'c'}
	want = "the zstd archive needs a window of more than 128 MB; recompress it with --long=27 or less"
	if got, err := decompress(frame); err == nil || err.Error() != want {
		t.Errorf("a window of 2 GB: got %q, %v", got, err)
	}
	// The zstd option --long=29 gives a window of 512 MB; the limit is 128 MB.
	frame[5] = 0x98
	if got, err := decompress(frame); err == nil || err.Error() != want {
		t.Errorf("a window of 512 MB: got %q, %v", got, err)
	}
	frame[5] = 0x88
	if got, err := decompress(frame); err != nil || got != "c" {
		t.Errorf("a window of 128 MB: got %q, %v", got, err)
	}
	// A frame of a single segment of 2 GB, alone and after another frame.
	single := []byte{0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0, 0, 0, 0x80, 0x09, 0x00, 0x00, 'c'}
	for _, data := range [][]byte{single, slices.Concat(frame, single)} {
		if got, err := decompress(data); err == nil || err.Error() != want {
			t.Errorf("a segment of 2 GB: got %q, %v", got, err)
		}
	}
	// A block that is larger than its window is damage.
	block := []byte{0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x00, 0x01, 0x40, 0x00, 'c'}
	if got, err := decompress(block); err == nil || !strings.HasPrefix(err.Error(), "the zstd archive is damaged: ") {
		t.Errorf("a large block: got %q, %v", got, err)
	}
	// Every decoder must support a window of 16 MB.
	frame[5] = 0x70
	if got, err := decompress(frame); err != nil || got != "c" {
		t.Errorf("a window of 16 MB: got %q, %v", got, err)
	}
}

func TestStandardInput(t *testing.T) {
	path := filepath.Join(t.TempDir(), "in")
	write(t, path, packed(t, text)["zstd"])
	in, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func(f *os.File) { os.Stdin = f; in.Close() }(os.Stdin)
	os.Stdin = in
	f, err := Open("-")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(f); err != nil || string(got) != text || f.Name() != "standard input" {
		t.Errorf("got %q, %v", got, err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	if _, err := in.Stat(); err != nil {
		t.Errorf("standard input was closed: %v", err)
	}
}

// FuzzDecompress checks that data is the same after compression and
// decompression, and that arbitrary input does no harm.
func FuzzDecompress(f *testing.F) {
	var seeds [][]byte
	for _, data := range packed(f, text) {
		seeds = append(seeds, data, data[:len(data)/2], slices.Concat(data, data))
	}
	words := []string{"\x1f\x8b\x08\x00", "BZh9", "\xfd7zXZ\x00", "\x28\xb5\x2f\xfd", "\x00\x00\x00\x00", "\xff", "YZ"}
	fuzztest.Run(f, seeds, words, func(t testing.TB, data []byte) {
		fuzztest.CheckBroken(t, data, func(src io.Reader) error {
			r, err := Decompress(src)
			if err == nil {
				_, err = io.Copy(io.Discard, io.LimitReader(r, 1<<20))
				r.Close()
			}
			return err
		})
		r, err := Decompress(fuzztest.Pieces(data))
		if err != nil {
			return
		}
		io.Copy(io.Discard, io.LimitReader(r, 1<<20))
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
		if fuzztest.Hash(data)%32 != 0 {
			return // compressors take a millisecond
		}
		for format, packed := range packed(t, string(data)) {
			if format == "" {
				continue
			}
			if got, err := decompress(packed); err != nil || got != string(data) {
				t.Fatalf("%s: %d bytes, then %v; want %d", format, len(got), err, len(data))
			}
		}
	})
}

// TestBzip2Sample checks bzip2Text with the standard library.
func TestBzip2Sample(t *testing.T) {
	got, err := io.ReadAll(bzip2.NewReader(strings.NewReader(bzip2Text)))
	if err != nil || string(got) != text {
		t.Errorf("got %q, %v", got, err)
	}
}
