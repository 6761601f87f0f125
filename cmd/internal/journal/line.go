package journal

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"hash"
	"io"
)

// A checksum is the first half of a SHA-256 hash.
type checksum [sha256.Size / 2]byte

// sumOf returns the checksum of the bytes that were written to a SHA-256 hash.
func sumOf(h hash.Hash) checksum { return checksum(h.Sum(nil)) }

func (s checksum) String() string { return hex.EncodeToString(s[:]) }

// next returns the checksum of a line with the given text that follows a line with
// checksum s. The checksum before the first line is zero.
func (s checksum) next(text []byte) checksum {
	h := sha256.New()
	h.Write(s[:])
	h.Write(text)
	return sumOf(h)
}

// appendLine appends a line with a value in JSON. The line before has checksum s. It
// returns the checksum of the new line.
func appendLine(lines []byte, s checksum, value any) ([]byte, checksum, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return lines, s, err
	}
	s = s.next(text)
	lines = hex.AppendEncode(lines, s[:])
	lines = append(append(lines, ' '), text...)
	return append(lines, '\n'), s, nil
}

// errSum is the error of a line that is damaged or does not follow the line before it.
var errSum = errors.New("the checksum is wrong")

// readLine reads the value of a line, given without its newline. An unknown member is an error.
// The line before has checksum s. It returns the checksum of the line.
func readLine(line []byte, s checksum, value any) (checksum, error) {
	sum, text, _ := bytes.Cut(line, []byte(" "))
	next := s.next(text)
	if string(sum) != next.String() {
		return s, errSum
	}
	in := json.NewDecoder(bytes.NewReader(text))
	in.DisallowUnknownFields()
	if err := in.Decode(value); err != nil {
		return next, err
	}
	if _, err := in.Token(); err != io.EOF {
		return next, errors.New("there is text behind the JSON value")
	}
	return next, nil
}
