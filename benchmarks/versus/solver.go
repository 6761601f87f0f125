package versus

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A Solver is a program that decides formulas, and how to call it.
type Solver struct {
	// Name is what reports and records call the solver.
	Name string

	// Command is the command line: words between blanks, where quotes, single or double, keep
	// blanks. In a word, {file} is replaced by the name of the formula, {proof} by that of the file
	// for a proof, and {model} by that of a file that takes the answer if it does not go to
	// standard output. Words between brackets are left out unless proofs are asked for. Without
	// {file} the formula is the last argument.
	Command string

	// Reads lists the compressions that the solver can read, by the names that
	// file.File.Compression has for them, provided that the name of the file ends as usual.
	Reads []string

	// Pipes says that it does so by other programs, which have the names of the compressions.
	Pipes bool

	// Suffix, if not empty, is how the names of files have to end.
	Suffix string

	// Version is the argument that makes the solver print its version, or empty.
	Version string

	program string // the path of the executable
	words   []word
}

// A word of a command line.
type word struct {
	text     string
	optional bool // stands between brackets
}

// KnownSolvers is the table of solvers that need no command line. The first one is Sator itself, for which
// [Solver.Find] takes a path.
var KnownSolvers = []Solver{
	{Name: "sator", Command: "sator solve -q [--proof {proof}] {file}", Reads: []string{"gzip", "bzip2", "xz", "zstd"}, Version: "version"},
	{Name: "cadical", Command: "cadical -q {file} [{proof}]", Reads: []string{"gzip", "bzip2", "xz"}, Pipes: true, Version: "--version"},
	{Name: "kissat", Command: "kissat -q {file} [{proof}]", Reads: []string{"gzip", "bzip2", "xz"}, Pipes: true, Version: "--version"},
	{Name: "minisat", Command: "minisat -verb=0 {file} {model}", Reads: []string{"gzip"}},
	{Name: "glucose", Command: "glucose -verb=0 -model [-certified -certified-output={proof}] {file}", Reads: []string{"gzip"}},
	// What the second operand of CryptoMiniSat takes is DRAT in some versions and FRAT in others.
	{Name: "cryptominisat5", Command: "cryptominisat5 --verb 0 {file}", Version: "--version"},
	// Gini gives up after 30 seconds by default, and goes by the name.
	{Name: "gini", Command: "gini -satcomp -model -timeout 100000h {file}", Reads: []string{"gzip", "bzip2"}, Suffix: ".cnf"},
	{Name: "gophersat", Command: "gophersat {file}", Suffix: ".cnf"},
	{Name: "picosat", Command: "picosat {file}", Version: "--version"},
}

// itself is the name of the solver, and of the program in a command line, that is this project's.
const itself = "sator"

// Parse returns the solver that a text describes: the name of a known one, or "NAME=COMMAND" with a
// command line as in [Solver]. What is known of the program of that name holds for such a solver
// too: which compressions it reads. A name consists of letters, digits and the characters + - . _
// after the first.
func Parse(text string) (*Solver, error) {
	name, command, given := strings.Cut(text, "=")
	if i := slices.IndexFunc(KnownSolvers, func(k Solver) bool { return k.Name == name }); !given && i >= 0 {
		s := KnownSolvers[i]
		return &s, s.parse()
	}
	if !given {
		return nil, fmt.Errorf("%q is no known solver (%s); write NAME=COMMAND for others", text, strings.Join(KnownNames(), ", "))
	}
	if !validName(name) {
		return nil, fmt.Errorf("%q is no name for a solver; use letters, digits and + - . _", name)
	}
	s := &Solver{Name: name, Command: strings.TrimSpace(command)}
	if err := s.parse(); err != nil {
		return nil, fmt.Errorf("solver %s: %w", name, err)
	}
	for _, k := range KnownSolvers {
		if k.Name == strings.TrimSuffix(filepath.Base(s.words[0].text), ".exe") {
			s.Reads, s.Pipes, s.Suffix, s.Version = k.Reads, k.Pipes, k.Suffix, k.Version
		}
	}
	return s, nil
}

// KnownNames returns the names of the known solvers.
func KnownNames() []string {
	names := make([]string, len(KnownSolvers))
	for i, k := range KnownSolvers {
		names[i] = k.Name
	}
	return names
}

func validName(name string) bool {
	for i, r := range name {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9':
		case i > 0 && strings.ContainsRune("+-._", r):
		default:
			return false
		}
	}
	return name != ""
}

// parse splits the command line into words.
func (s *Solver) parse() error {
	words, err := split(s.Command)
	if err != nil {
		return err
	}
	s.words = words
	if !slices.ContainsFunc(words, func(w word) bool { return strings.Contains(w.text, "{file}") }) {
		s.words = append(s.words, word{text: "{file}"})
	}
	for _, w := range s.words {
		if strings.Contains(w.text, "{proof}") && !w.optional {
			return errors.New("{proof} must stand between brackets, with the words that go with it")
		}
	}
	return nil
}

// split splits a command line at blanks, but for those between quotes. A bracket that begins a word
// opens, and one that ends it closes, what is optional.
func split(command string) ([]word, error) {
	var words []word
	optional := false
	for rest := strings.TrimLeft(command, " \t"); rest != ""; rest = strings.TrimLeft(rest, " \t") {
		if !optional && rest[0] == '[' {
			optional, rest = true, rest[1:]
			continue
		}
		text, after, quoted, err := cutWord(rest)
		if err != nil {
			return nil, err
		}
		closes := optional && !quoted && strings.HasSuffix(text, "]")
		if closes {
			text = strings.TrimSuffix(text, "]")
		}
		if text != "" || quoted {
			words = append(words, word{text, optional})
		}
		optional, rest = optional && !closes, after
	}
	switch {
	case optional:
		return nil, errors.New("a bracket is not closed")
	case len(words) == 0 || words[0].optional:
		return nil, errors.New("the command line names no program")
	}
	return words, nil
}

// cutWord takes the first word off a text that begins with one. It tells whether the word ends with
// a quote.
func cutWord(text string) (first, rest string, quoted bool, err error) {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case ' ', '\t':
			return b.String(), text[i:], quoted, nil
		case '\'', '"':
			end := strings.IndexByte(text[i+1:], c)
			if end < 0 {
				return "", "", false, fmt.Errorf("the quote %c is not closed", c)
			}
			b.WriteString(text[i+1 : i+1+end])
			i += end + 1
			quoted = true
		default:
			b.WriteByte(c)
			quoted = false
		}
	}
	return b.String(), "", quoted, nil
}

// Find looks for the executable: in the path of the system if its name has no slash. The program
// sator is the one at the given path. The error says that there is none.
func (s *Solver) Find(sator string) error {
	if s.words == nil {
		if err := s.parse(); err != nil {
			return fmt.Errorf("solver %s: %w", s.Name, err)
		}
	}
	name := s.words[0].text
	if name == itself {
		name = sator
	}
	program, err := exec.LookPath(name)
	if err == nil {
		program, err = filepath.Abs(program)
	}
	if err != nil {
		return fmt.Errorf("solver %s: %w", s.Name, err)
	}
	s.program = program
	return nil
}

// Program returns the path of the executable that Find has found.
func (s *Solver) Program() string { return s.program }

// Proves reports whether the command line has a place for a proof.
func (s *Solver) Proves() bool { return s.mentions("{proof}") }

func (s *Solver) mentions(what string) bool {
	return slices.ContainsFunc(s.words, func(w word) bool { return strings.Contains(w.text, what) })
}

// arguments returns the arguments of a run. Without the name of a proof, none is asked for.
func (s *Solver) arguments(file, model, proof string) []string {
	replace := strings.NewReplacer("{file}", file, "{model}", model, "{proof}", proof)
	var args []string
	for _, w := range s.words[1:] {
		if !w.optional || proof != "" {
			args = append(args, replace.Replace(w.text))
		}
	}
	return args
}

// line returns the command line as records have it: without what is optional unless proofs are
// asked for, so that it tells one manner of running from the other.
func (s *Solver) line(proofs bool) string {
	var b strings.Builder
	for i, w := range s.words {
		if w.optional && !proofs {
			continue
		}
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(quote(w.text))
	}
	return b.String()
}

// quote returns a word as split reads it.
func quote(word string) string {
	switch {
	case word != "" && !strings.ContainsAny(word, " \t'\"[]"):
		return word
	case strings.Contains(word, "'"):
		return `"` + word + `"`
	}
	return "'" + word + "'"
}

// reads reports whether the solver reads a file of that name and compression ("" for none) as it
// is.
func (s *Solver) reads(name, compression string) bool {
	if compression == "" {
		return strings.HasSuffix(name, s.Suffix)
	}
	ending := endings[compression]
	if !slices.Contains(s.Reads, compression) || !strings.HasSuffix(name, s.Suffix+ending) {
		return false
	}
	if s.Pipes {
		_, err := exec.LookPath(compression)
		return err == nil
	}
	return true
}

// endings are those by which solvers recognize compressions.
var endings = map[string]string{"gzip": ".gz", "bzip2": ".bz2", "xz": ".xz", "zstd": ".zst"}

// Installed returns those of the known solvers that there are: Sator, if its path is not empty, and
// what is in the path of the system.
func Installed(sator string) []*Solver {
	var found []*Solver
	for _, k := range KnownSolvers {
		if k.Name == itself && sator == "" {
			continue
		}
		if k.Find(sator) == nil {
			found = append(found, &k)
		}
	}
	return found
}
