package hub

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"strings"
)

// Tokens.
//
// The token of a run is the password of workers, checkers and status commands. It is kept
// in a file, since arguments of commands are visible to other users of a machine. The
// form is strict: a token with a space or of another encoding may be truncated or
// converted on its way, and the server would take one that begins with "$2" for the hash
// of a password.

// A Token is a shared secret: 16 to 256 printable ASCII characters without spaces. The
// empty token stands for no token.
type Token string

const (
	minToken = 16
	maxToken = 256
)

// NewToken returns a random token.
func NewToken() Token { return Token(rand.Text()) }

// validate returns an error that does not contain the token.
func (t Token) validate() error {
	if len(t) < minToken || len(t) > maxToken {
		return fmt.Errorf("the token has %d characters: want %d to %d", len(t), minToken, maxToken)
	}
	for i := range len(t) {
		if t[i] <= ' ' || t[i] > '~' {
			return fmt.Errorf("character %d of the token is not printable ASCII", i+1)
		}
	}
	if strings.HasPrefix(string(t), "$2") {
		return errors.New(`the token begins with "$2", which marks a hash of a password`)
	}
	return nil
}

// ReadToken reads a token from the first line of a file. The result exposed reports
// that other users of the machine may read the file; callers should warn of it.
func ReadToken(name string) (t Token, exposed bool, err error) {
	f, err := os.Open(name)
	if err != nil {
		return "", false, fmt.Errorf("token: %w", err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, 4*maxToken))
	if err != nil {
		return "", false, fmt.Errorf("token: %w", err)
	}
	line, _, _ := strings.Cut(string(text), "\n")
	t = Token(strings.TrimRight(line, "\r"))
	if err := t.validate(); err != nil {
		return "", false, fmt.Errorf("%s: %w", name, err)
	}
	info, err := f.Stat()
	return t, err == nil && readable(info), nil
}

// readable reports whether users other than the owner may read a file. Windows has no
// such bits.
func readable(info fs.FileInfo) bool {
	return runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0
}
