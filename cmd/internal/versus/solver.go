package versus

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A Solver is a SAT solver that runs as a process: its command line and its input formats.
type Solver struct {
	// Name is the name in logs and reports.
	Name string

	// Command is the command line: words separated by blanks; single or double quotes keep blanks
	// in a word. Placeholders: {file} is replaced by the name of the formula, {proof} by the name
	// of the proof file to write, and {model} by the name of a file for the answer, if the solver
	// does not print it, and {seed} by the number of the round, from 0. Words between brackets are
	// passed only if proofs are requested. Without {file} the formula is the last argument.
	Command string

	// Reads lists the compressions that the solver can read, as named by file.File.Compression, if
	// the file has the usual suffix.
	Reads []string

	// Pipes reports that the solver decompresses by calling the program of the same name as the
	// compression.
	Pipes bool

	// Suffix is the required suffix of file names, or empty.
	Suffix string

	// Version is the argument that prints the version, or empty.
	Version string

	program string // the path of the executable
	words   []word
}

// A word is a word of a command line.
type word struct {
	text     string
	optional bool // between brackets
}

// KnownSolvers is the table of solvers with a predefined command line. The first one is Sator
// itself, whose path is a parameter of [Solver.Find].
var KnownSolvers = []Solver{
	{Name: "sator", Command: "sator solve -q [--proof {proof}] {file}", Reads: []string{"gzip", "bzip2", "xz", "zstd"}, Version: "version"},
	{Name: "cadical", Command: "cadical -q {file} [{proof}]", Reads: []string{"gzip", "bzip2", "xz"}, Pipes: true, Version: "--version"},
	{Name: "kissat", Command: "kissat -q {file} [{proof}]", Reads: []string{"gzip", "bzip2", "xz"}, Pipes: true, Version: "--version"},
	{Name: "minisat", Command: "minisat -verb=0 {file} {model}", Reads: []string{"gzip"}},
	{Name: "glucose", Command: "glucose -verb=0 -model [-certified -certified-output={proof}] {file}", Reads: []string{"gzip"}},
	// The format of CryptoMiniSat's second operand is DRAT in some versions and FRAT in others.
	{Name: "cryptominisat5", Command: "cryptominisat5 --verb 0 {file}", Version: "--version"},
	// Gini has a default time limit of 30 seconds, and recognizes formats by the suffix.
	{Name: "gini", Command: "gini -satcomp -model -timeout 100000h {file}", Reads: []string{"gzip", "bzip2"}, Suffix: ".cnf"},
	{Name: "gophersat", Command: "gophersat {file}", Suffix: ".cnf"},
	{Name: "picosat", Command: "picosat {file}", Version: "--version"},
}

// seedWord stands for the seed in a command line. Runs with different seeds are not repetitions.
const seedWord = "{seed}"

// itself is the name of this project's solver and of its program in a command line.
const itself = "sator"

// Parse returns the solver described by a text: the name of a known solver, or "NAME=COMMAND" with
// a command line as in [Solver]. If the program is a known solver, the new solver has the same
// input formats and version argument. A name consists of letters and digits and, after the first
// character, also of + - . and _.
func Parse(text string) (*Solver, error) {
	name, command, given := strings.Cut(text, "=")
	if i := slices.IndexFunc(KnownSolvers, func(k Solver) bool { return k.Name == name }); !given && i >= 0 {
		s := KnownSolvers[i]
		return &s, s.parse()
	}
	if !given {
		return nil, fmt.Errorf("unknown solver %q: want %s, or NAME=COMMAND", text, strings.Join(KnownNames(), ", "))
	}
	if !validName(name) {
		return nil, fmt.Errorf("invalid solver name %q: want letters, digits and + - . _", name)
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

// validName reports whether a name is allowed for a solver.
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

// parse splits the command line into words and checks the placeholders.
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
			return errors.New("{proof} must be between brackets, as in [--proof {proof}]")
		}
	}
	return nil
}

// split splits a command line at blanks outside of quotes. An opening bracket
// at the beginning of a word starts an optional part, and a closing bracket at
// the end of a word ends it.
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
		return nil, errors.New("unclosed bracket")
	case len(words) == 0 || words[0].optional:
		return nil, errors.New("the command line names no program")
	}
	return words, nil
}

// cutWord splits off the first word of a text. It reports whether the word ends with a quote.
func cutWord(text string) (first, rest string, quoted bool, err error) {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case ' ', '\t':
			return b.String(), text[i:], quoted, nil
		case '\'', '"':
			end := strings.IndexByte(text[i+1:], c)
			if end < 0 {
				return "", "", false, fmt.Errorf("unclosed quote %c", c)
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

// Find locates the executable: in the search path of the system if its name has no slash. The
// program sator is replaced by the given path. Find returns an error if there is no executable.
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

// Proves reports whether the command line has a placeholder for a proof.
func (s *Solver) Proves() bool { return s.mentions("{proof}") }

// mentions reports whether the command line contains a placeholder.
func (s *Solver) mentions(placeholder string) bool {
	return slices.ContainsFunc(s.words, func(w word) bool { return strings.Contains(w.text, placeholder) })
}

// arguments returns the arguments of a run, without the optional ones if proof is empty.
func (s *Solver) arguments(file, model, proof string, round int) []string {
	replace := strings.NewReplacer("{file}", file, "{model}", model, "{proof}", proof, seedWord, strconv.Itoa(round-1))
	var args []string
	for _, w := range s.words[1:] {
		if !w.optional || proof != "" {
			args = append(args, replace.Replace(w.text))
		}
	}
	return args
}

// line returns the command line as stored in a log. It omits the optional words unless proofs are
// requested, so runs with and without proofs have different command lines.
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

// quote quotes a word so that split reads it back.
func quote(word string) string {
	switch {
	case word != "" && !strings.ContainsAny(word, " \t'\"[]"):
		return word
	case strings.Contains(word, "'"):
		return `"` + word + `"`
	}
	return "'" + word + "'"
}

// reads reports whether the solver can read a file with that name and compression ("" for none).
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

// endings maps compressions to the file suffixes that solvers recognize.
var endings = map[string]string{"gzip": ".gz", "bzip2": ".bz2", "xz": ".xz", "zstd": ".zst"}

// Installed returns the known solvers that are installed: those in the search path of the system,
// and Sator itself if its path is not empty.
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
