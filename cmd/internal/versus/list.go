package versus

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"sator/dimacs"
)

// An Instance is a formula to solve.
type Instance struct {
	Name   string        // the name in logs and reports
	Path   string        // the name of the file
	Answer dimacs.Status // the known answer, or dimacs.Unknown
	Family string        // the family, or empty
}

// ReadList reads a list of formulas, one per line: the name of a file, and optionally, after
// blanks, the known answer: SAT or SATISFIABLE, UNSAT or UNSATISFIABLE, ? or UNKNOWN; after an
// answer optionally the family of the formula, a word. Blank lines and lines that begin with # are ignored. Relative file names are relative to the directory root.
// The parameter name is the name of the list in error messages.
//
// Errors are of type *dimacs.SyntaxError, or those of src. A file that does not exist is an error.
func ReadList(src io.Reader, name, root string) ([]Instance, error) {
	var all []Instance
	lines := bufio.NewScanner(src)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		in := parseEntry(line)
		in.Path = filepath.FromSlash(in.Name)
		if !filepath.IsAbs(in.Path) {
			in.Path = filepath.Join(root, in.Path)
		}
		if err := in.check(); err != nil {
			return nil, &dimacs.SyntaxError{File: name, Line: n, Col: 1, Msg: err.Error()}
		}
		all = append(all, in)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return all, nil
}

// parseEntry splits a line of a list into name, answer and family.
func parseEntry(line string) Instance {
	rest, last := cutLast(line)
	if answer, ok := answers[strings.ToUpper(last)]; ok && rest != "" {
		return Instance{Name: rest, Answer: answer}
	}
	name, word := cutLast(rest)
	if answer, ok := answers[strings.ToUpper(word)]; ok && name != "" {
		return Instance{Name: name, Answer: answer, Family: last}
	}
	return Instance{Name: line}
}

// cutLast splits off the last word of a text.
func cutLast(text string) (rest, last string) {
	i := strings.LastIndexAny(text, " \t") + 1
	return strings.TrimSpace(text[:i]), text[i:]
}

// answers maps the words of a list to answers.
var answers = map[string]dimacs.Status{
	"SAT": dimacs.Satisfiable, "SATISFIABLE": dimacs.Satisfiable,
	"UNSAT": dimacs.Unsatisfiable, "UNSATISFIABLE": dimacs.Unsatisfiable,
	"?": dimacs.Unknown, "UNKNOWN": dimacs.Unknown,
}

// NewInstance returns the formula in a file, with an unknown answer.
func NewInstance(name string) (Instance, error) {
	in := Instance{Name: name, Path: name}
	return in, in.check()
}

// check returns an error if the file does not exist, is not a regular file, or has a line end in
// its name.
func (in *Instance) check() error {
	if strings.ContainsAny(in.Name, "\r\n") {
		return fmt.Errorf("file name %q contains a line end", in.Name)
	}
	info, err := os.Stat(in.Path)
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a regular file", in.Path)
	}
	return err
}

// Distinct returns the instances without duplicates, in order of first occurrence. If only one of
// two duplicates has a known answer or a family, that one is kept. Two instances with the same name
// and different files, answers or families are an error.
func Distinct(all []Instance) ([]Instance, error) {
	var distinct []Instance
	at := map[string]int{}
	for _, in := range all {
		i, known := at[in.Name]
		if !known {
			at[in.Name] = len(distinct)
			distinct = append(distinct, in)
			continue
		}
		switch first := &distinct[i]; {
		case filepath.Clean(first.Path) != filepath.Clean(in.Path):
			return nil, fmt.Errorf("the name %s is used for %s and %s", in.Name, first.Path, in.Path)
		case first.Answer != dimacs.Unknown && in.Answer != dimacs.Unknown && in.Answer != first.Answer:
			return nil, fmt.Errorf("%s is listed with the answers %v and %v", in.Name, first.Answer, in.Answer)
		case first.Family != "" && in.Family != "" && in.Family != first.Family:
			return nil, fmt.Errorf("%s is listed with the families %s and %s", in.Name, first.Family, in.Family)
		default:
			first.Answer, first.Family = cmp.Or(first.Answer, in.Answer), cmp.Or(first.Family, in.Family)
		}
	}
	return distinct, nil
}
