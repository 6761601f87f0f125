package commandtest

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"
)

// A Look is the form of the files of a formula.
type Look struct {
	Files   int      // number of files; a script has one
	Packs   []string // endings of compressed files, one for each file: "", ".gz", ".bz2", ".xz", ".zst"
	Stdin   int      // number of the file that is standard input, from 1; 0 for no file
	Noise   uint64   // seed of comments and white space; 0 for plain text
	Mistake string   // mistake in the last file, see mistakes; may be empty
	Relaxed bool     // the flag --relaxed is given
}

// plainLook returns the look of one plain file.
func plainLook() Look { return Look{Files: 1, Packs: []string{""}} }

// drawLook returns a random look.
func drawLook(r *rand.Rand) Look {
	k := Look{Files: 1}
	if r.IntN(6) == 0 {
		k.Files = 2 + r.IntN(3)
	}
	if r.IntN(5) == 0 {
		k.Stdin = 1 + r.IntN(k.Files)
	}
	for range k.Files {
		k.Packs = append(k.Packs, one(r, drawPack(r), drawPack(r), drawPack(r), drawPack(r), drawPack(r), ".bz2"))
	}
	if r.IntN(3) == 0 {
		k.Noise = r.Uint64()
	}
	if k.Relaxed = r.IntN(8) == 0; k.Relaxed && r.IntN(4) > 0 {
		k.Mistake = forgivable[r.IntN(len(forgivable))]
	}
	return k
}

// drawPack returns the ending of an output: mostly "", or the ending of a compression.
func drawPack(r *rand.Rand) string {
	return one(r, "", "", "", "", "", "", "", "", "", "", "", "", ".gz", ".gz", ".gz", ".zst", ".zst", ".xz")
}

// forgivable lists the mistakes that --relaxed accepts, with warnings.
var forgivable = []string{"no header", "fewer clauses", "more clauses", "fewer variables", "second header", "no last zero"}

// fatal lists the mistakes that are errors with --relaxed too.
var fatal = []string{"word", "minus zero", "plus sign", "lone return", "hidden return", "xor line", "huge number", "nothing", "long header", "wrong format", "fraction", "damaged archive"}

// A file is an input file of a command.
type file struct {
	name    string
	content []byte
}

// files returns the formula as files with the names f0, f1 and so on.
func (c *Case) files() []file {
	var all []file
	noise := rand.New(rand.NewPCG(c.Look.Noise, 1))
	for i, part := range c.parts() {
		mistake := ""
		if i == c.Look.Files-1 {
			mistake = c.Look.Mistake
		}
		t := &text{noise: noise, plain: c.Look.Noise == 0}
		content := t.write(part, mistake)
		ending := ".cnf"
		if c.Script {
			ending = ".icnf"
		}
		pack, packed := compress(c.Look.Packs[i], content)
		if mistake == "damaged archive" {
			pack, packed = compress(".gz", content)
			packed[len(packed)-6] ^= 0x55 // in the checksum
		}
		all = append(all, file{fmt.Sprintf("f%d%s%s", i, ending, pack), packed})
	}
	return all
}

// parts distributes the clauses over the files.
func (c *Case) parts() []*Formula {
	var all []*Formula
	rest := c.Clauses
	for i := range c.Look.Files {
		n := len(rest) / (c.Look.Files - i)
		part := &Formula{Clauses: rest[:n], Script: c.Script, Cubes: c.Cubes}
		part.Vars = highest(part.Clauses)
		if i == 0 {
			part.Vars = c.Vars
		}
		all = append(all, part)
		rest = rest[n:]
	}
	return all
}

// mend removes contradictions between the parts of a case. Drawing and shrinking may leave
// some.
func (c *Case) mend() {
	if c.Script || c.Look.Files < 1 || c.Look.Files > len(c.Clauses)+1 {
		c.Look.Files = 1
	}
	c.Look.Stdin = min(c.Look.Stdin, c.Look.Files)
	for len(c.Look.Packs) < c.Look.Files {
		c.Look.Packs = append(c.Look.Packs, "")
	}
	for i := range c.Cubes {
		c.Cubes[i].Clauses = min(c.Cubes[i].Clauses, len(c.Clauses))
	}
	parts := c.parts()
	last := parts[len(parts)-1].Clauses
	ends := len(last) > 0 && len(last[len(last)-1]) > 0 && len(c.Cubes) == 0
	switch c.Look.Mistake {
	case "fewer clauses", "fewer variables":
		if !ends || c.Script {
			c.Look.Mistake = ""
		}
	case "more clauses":
		if c.Script {
			c.Look.Mistake = ""
		}
	case "no last zero":
		if !ends {
			c.Look.Mistake = ""
		}
	case "no header":
		if !ends || c.Script {
			c.Look.Mistake = ""
		}
	}
	if c.Vars = max(c.Vars, c.highest()); c.Look.Mistake == "no header" || c.Look.Mistake == "fewer variables" {
		c.Vars = c.highest()
	}
	c.Assume = slices.DeleteFunc(c.Assume, func(l int) bool { return abs(l) > c.Vars })
}

// A text is the text of a file under construction.
type text struct {
	bytes.Buffer
	noise *rand.Rand
	plain bool // no comments, and one clause on a line
	crlf  bool // lines end with a carriage return and a line feed
}

// write returns a formula as text, with a mistake.
func (t *text) write(f *Formula, mistake string) []byte {
	if mistake == "nothing" {
		return nil
	}
	if t.crlf = !t.plain && t.noise.IntN(3) == 0; !t.plain && t.noise.IntN(8) == 0 {
		t.WriteString("\xef\xbb\xbf")
	}
	t.gap()
	bad := 0
	if len(f.Clauses) > 0 {
		bad = t.noise.IntN(len(f.Clauses))
	}
	if mistake == "second header" {
		head, tail := split(f, bad)
		t.header(head, "")
		t.body(head, "", 0)
		f = tail
	}
	if mistake != "no header" {
		t.header(f, mistake)
	}
	t.body(f, mistake, bad)
	if !t.plain && t.noise.IntN(4) == 0 {
		t.comment()
	}
	if !t.plain && mistake == "" && !f.Script && t.noise.IntN(8) == 0 {
		t.WriteString("%" + t.end() + one(t.noise, "", "0"+t.end()))
	}
	return t.Bytes()
}

// split returns the formula before clause i, and the rest of it.
func split(f *Formula, i int) (head, tail *Formula) {
	h, t := *f, *f
	h.Clauses, h.Cubes, t.Clauses, t.Cubes = f.Clauses[:i], nil, f.Clauses[i:], nil
	for _, c := range f.Cubes {
		if c.Clauses < i {
			h.Cubes = append(h.Cubes, c)
		} else {
			t.Cubes = append(t.Cubes, Cube{c.Lits, c.Clauses - i})
		}
	}
	return &h, &t
}

// header writes the header, with a mistake.
func (t *text) header(f *Formula, mistake string) {
	vars, clauses := f.Vars, len(f.Clauses)
	switch mistake {
	case "fewer variables":
		vars = highest(f.Clauses) - 1
	case "fewer clauses":
		clauses--
	case "more clauses":
		clauses++
	}
	words := []string{"p", "cnf", strconv.Itoa(vars), strconv.Itoa(clauses)}
	if f.Script {
		words = []string{"p", "inccnf"}
		t.WriteString(f.scriptVariables())
	}
	switch mistake {
	case "long header":
		words = append(words, "7")
	case "wrong format":
		words[1] = "sat"
	}
	t.WriteString(strings.Join(words, t.blank()) + t.end())
}

// body writes the clauses and cubes, with a mistake before clause bad.
func (t *text) body(f *Formula, mistake string, bad int) {
	cubes := f.Cubes
	for i := range len(f.Clauses) + 1 {
		for len(cubes) > 0 && cubes[0].Clauses == i {
			t.WriteString("a" + t.blank())
			t.literals(cubes[0].Lits, true)
			cubes = cubes[1:]
		}
		if i == bad {
			t.mistake(mistake)
		}
		if i < len(f.Clauses) {
			t.literals(f.Clauses[i], mistake != "no last zero" || i < len(f.Clauses)-1)
		}
	}
}

// mistake writes a mistake that is a token.
func (t *text) mistake(mistake string) {
	word := map[string]string{
		"word": "two", "minus zero": "-0", "plus sign": "+1", "lone return": "\r", "hidden return": "c a\r1 0\n", "xor line": "x1",
		"huge number": "1073741824", "fraction": "1.5",
	}[mistake]
	if word != "" {
		t.WriteString(word + " ")
	}
}

// literals writes a clause or the rest of a cube, with a 0 at the end.
func (t *text) literals(lits []int, zero bool) {
	for _, l := range lits {
		word := strconv.Itoa(abs(l))
		if !t.plain && t.noise.IntN(20) == 0 {
			word = "00" + word
		}
		if l < 0 {
			word = "-" + word
		}
		t.WriteString(word)
		if t.WriteString(t.blank()); !t.plain && t.noise.IntN(20) == 0 {
			t.comment()
		}
	}
	switch {
	case !zero:
		t.WriteString(t.end())
	case t.plain || t.noise.IntN(4) > 0:
		t.WriteString("0" + t.end())
		t.gap()
	case t.noise.IntN(4) == 0:
		t.WriteString("0")
		t.comment() // right behind the clause
	default:
		t.WriteString("0" + t.blank())
	}
}

// gap writes comments and empty lines between clauses.
func (t *text) gap() {
	if t.plain {
		return
	}
	for t.noise.IntN(4) == 0 {
		if t.noise.IntN(3) == 0 {
			t.WriteString(t.blank() + t.end())
		} else {
			t.comment()
		}
	}
}

// comment writes a comment up to the end of the line.
func (t *text) comment() {
	all := []string{"c", "c p cnf 2 2", "c 1 -2 0", "comment", "c\tx", "c a 1 0", "c %", "c s SATISFIABLE", "c \x00\xff"}
	t.WriteString(all[t.noise.IntN(len(all))] + t.end())
}

// blank returns white space between tokens of a line.
func (t *text) blank() string {
	if t.plain {
		return " "
	}
	all := []string{" ", " ", " ", "  ", "\t", " \t "}
	return all[t.noise.IntN(len(all))]
}

// end returns the end of a line.
func (t *text) end() string {
	if t.crlf {
		return "\r\n"
	}
	return "\n"
}

// hasBzip2 reports whether there is a program that writes bzip2.
var hasBzip2 = sync.OnceValue(func() bool { _, err := exec.LookPath("bzip2"); return err == nil })

// compress compresses data. Without a writer of the format the result is the data and an
// empty ending.
func compress(ending string, data []byte) (string, []byte) {
	var b bytes.Buffer
	var w io.WriteCloser
	var err error
	switch {
	case ending == ".gz":
		w = gzip.NewWriter(&b)
	case ending == ".xz":
		w, err = xz.WriterConfig{DictCap: 1 << 16}.NewWriter(&b)
	case ending == ".zst":
		w, err = zstd.NewWriter(&b, zstd.WithEncoderConcurrency(1))
	case ending == ".bz2" && hasBzip2():
		cmd := exec.Command("bzip2", "-c")
		cmd.Stdin, cmd.Stdout = bytes.NewReader(data), &b
		if err = start(cmd); err == nil {
			err = cmd.Wait()
		}
		if err == nil {
			return ending, b.Bytes()
		}
	default:
		return "", data
	}
	if err == nil {
		_, err = w.Write(data)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		panic(err) // the memory of a buffer
	}
	return ending, b.Bytes()
}

// decompress returns the content of a file, compressed according to the ending of its
// name.
func decompress(name string, data []byte) ([]byte, error) {
	var r io.Reader = bytes.NewReader(data)
	var err error
	switch {
	case strings.HasSuffix(name, ".gz"):
		r, err = gzip.NewReader(r)
	case strings.HasSuffix(name, ".xz"):
		r, err = xz.NewReader(r)
	case strings.HasSuffix(name, ".zst"):
		var d *zstd.Decoder
		if d, err = zstd.NewReader(r, zstd.WithDecoderConcurrency(1)); err == nil {
			defer d.Close()
			r = d
		}
	}
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}
