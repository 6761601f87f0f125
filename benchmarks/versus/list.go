package versus

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"sator/dimacs"
)

// An Instance is a formula to solve.
type Instance struct {
	Name   string        // what records call it
	Path   string        // where the file is
	Answer dimacs.Status // the known answer, or dimacs.Unknown
}

// ReadList reads a list of formulas, one a line: the name of a file, and after blanks the answer if
// it is known: SAT or SATISFIABLE, UNSAT or UNSATISFIABLE, and ? or UNKNOWN if it is not. Blank
// lines, and lines that begin with #, say nothing. Relative names start from the folder root. The
// name of the list is for messages.
//
// Errors are of type *dimacs.SyntaxError, or those of src. A file that there is not is one.
func ReadList(src io.Reader, name, root string) ([]Instance, error) {
	var all []Instance
	lines := bufio.NewScanner(src)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		in := Instance{Name: line}
		if i := strings.LastIndexAny(line, " \t"); i >= 0 {
			if answer, ok := answers[strings.ToUpper(line[i+1:])]; ok {
				in.Name, in.Answer = strings.TrimSpace(line[:i]), answer
			}
		}
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

// answers are the words for answers in a list.
var answers = map[string]dimacs.Status{
	"SAT": dimacs.Satisfiable, "SATISFIABLE": dimacs.Satisfiable,
	"UNSAT": dimacs.Unsatisfiable, "UNSATISFIABLE": dimacs.Unsatisfiable,
	"?": dimacs.Unknown, "UNKNOWN": dimacs.Unknown,
}

// NewInstance returns the formula in a file, whose answer is not known.
func NewInstance(name string) (Instance, error) {
	in := Instance{Name: name, Path: name}
	return in, in.check()
}

// check returns an error if there is no such file, or if its name does not go on a line.
func (in *Instance) check() error {
	if strings.ContainsAny(in.Name, "\r\n") {
		return fmt.Errorf("the file %q has a line end in its name", in.Name)
	}
	info, err := os.Stat(in.Path)
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is no file that can be read again and again", in.Path)
	}
	return err
}

// Distinct returns the instances with each name once, in the order in which they first come. The
// answer is that of the one that has it. The error is that a name stands for two files, or comes
// with two answers.
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
			return nil, fmt.Errorf("%s stands for %s and for %s", in.Name, first.Path, in.Path)
		case first.Answer == dimacs.Unknown:
			first.Answer = in.Answer
		case in.Answer != dimacs.Unknown && in.Answer != first.Answer:
			return nil, fmt.Errorf("%s is listed as %v and as %v", in.Name, first.Answer, in.Answer)
		}
	}
	return distinct, nil
}
