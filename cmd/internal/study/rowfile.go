package study

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"sator/dimacs"
	"sator/dimacs/file"
)

// The rows of a study are stored in an append-only CSV file.
//
// Rows are written in the order of the plan, one per line. If the process is
// killed, the file is a prefix of the complete file, possibly with a truncated
// last line. That line is dropped and written again. A row survives the process
// once it is passed to the operating system. It survives a crash of the machine
// when the process ends: then the file is synchronized with the disk.
//
// The weights of a chain (runs that share their weights) are not stored. A resumed
// process repeats the runs of an unfinished chain from its first one, and checks that
// the rows are the same.

// The files of a study.
const (
	planFile = "plan.json"
	rowsFile = "runs.csv"
)

// A Row is a completed run.
type Row struct {
	*Run
	Outcome
}

// header returns the names of the columns.
func (s *Study) header() []string {
	h := append([]string{s.Subject}, s.Attributes...)
	for _, f := range s.Factors {
		h = append(h, f.Name)
	}
	h = append(h, "answer")
	for _, m := range measures {
		h = append(h, m.name)
	}
	h = append(h, s.Extra...)
	return append(h, "capped", "seconds")
}

// answers maps answers to their names in the file.
var answers = map[dimacs.Status]string{dimacs.Satisfiable: "sat", dimacs.Unsatisfiable: "unsat", dimacs.Unknown: "unknown"}

// fields returns the row as CSV fields.
func (r *Row) fields() []string {
	f := append([]string{strconv.Itoa(r.subject.Number)}, r.Outcome.Attributes...)
	f = append(f, r.levels...)
	f = append(f, answers[r.Answer])
	for _, m := range measures {
		f = append(f, strconv.FormatInt(*m.field(&r.Outcome), 10))
	}
	for _, n := range r.Extra {
		f = append(f, strconv.FormatInt(n, 10))
	}
	return append(f, yesNo(r.Capped), strconv.FormatFloat(r.Seconds, 'f', 6, 64))
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// same reports whether two rows are equal except for the time.
func (r *Row) same(o *Row) bool {
	a, b := r.fields(), o.fields()
	return slices.Equal(a[:len(a)-1], b[:len(b)-1])
}

// errOther is the error for rows of another plan.
var errOther = errors.New("not a row of this study")

// parse parses the row of a run.
func (r *Run) parse(fields []string) (*Row, error) {
	s := r.plan.study
	if len(fields) != len(s.header()) {
		return nil, fmt.Errorf("%d columns, want %d", len(fields), len(s.header()))
	}
	row := &Row{Run: r}
	take := func(n int) []string { head := fields[:n]; fields = fields[n:]; return head }
	number := take(1)[0]
	row.Outcome.Attributes = slices.Clone(take(len(s.Attributes)))
	if levels := take(len(s.Factors)); number != strconv.Itoa(r.subject.Number) || !slices.Equal(levels, r.levels) {
		return nil, errOther
	}
	status, known := take(1)[0], false
	for a, name := range answers {
		if name == status {
			row.Answer, known = a, true
		}
	}
	if !known {
		return nil, fmt.Errorf("invalid answer %q", status)
	}
	for _, m := range measures {
		if err := number64(take(1)[0], m.field(&row.Outcome)); err != nil {
			return nil, err
		}
	}
	row.Extra = make([]int64, len(s.Extra))
	for i := range row.Extra {
		if err := number64(take(1)[0], &row.Extra[i]); err != nil {
			return nil, err
		}
	}
	row.Capped = take(1)[0] == "yes"
	var err error
	row.Seconds, err = strconv.ParseFloat(take(1)[0], 64)
	return row, err
}

func number64(text string, into *int64) (err error) {
	*into, err = strconv.ParseInt(text, 10, 64)
	return err
}

// A store keeps the rows of a study in a directory.
type store struct {
	plan *Plan
	dir  string
	rows []*Row
	disk *file.Disk
	file *file.Handle
	size int64 // length of the rows written, in bytes
	buf  bytes.Buffer
	csv  *csv.Writer
}

// openStore opens or creates the directory of a study and reads its rows. It
// returns an error if the directory belongs to another study.
func openStore(disk *file.Disk, p *Plan, dir string) (*store, error) {
	if err := disk.MkdirAll(dir); err != nil {
		return nil, err
	}
	r := &store{plan: p, dir: dir, disk: disk}
	r.csv = csv.NewWriter(&r.buf)
	if err := r.checkIdentity(); err != nil {
		return nil, err
	}
	f, err := disk.OpenFile(filepath.Join(dir, rowsFile), os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	r.file = f
	if err := r.load(); err != nil {
		f.Close()
		return nil, err
	}
	return r, nil
}

// checkIdentity writes the plan file, or compares it with the plan if it
// exists.
func (r *store) checkIdentity() error {
	id := r.plan.identity()
	there, err := readIdentity(r.dir)
	if err != nil {
		return err
	}
	if there == nil {
		if _, err := os.Stat(filepath.Join(r.dir, rowsFile)); err == nil {
			return fmt.Errorf("%s has rows, but no %s", r.dir, planFile)
		}
		if err := r.savePuzzles(); err != nil {
			return err
		}
		return r.replaceJSON(planFile, id)
	}
	if !id.equal(*there) {
		return fmt.Errorf("%s has another study, or the same study with other options or data (see %s): choose another directory", r.dir, planFile)
	}
	return nil
}

// replaceJSON writes a JSON file of the directory.
func (r *store) replaceJSON(name string, v any) error {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return r.disk.WriteFile(filepath.Join(r.dir, name), append(b, '\n'))
}

// load reads the rows and removes a truncated last line.
func (r *store) load() error {
	b, err := io.ReadAll(r.file)
	if err != nil {
		return err
	}
	b = b[:bytes.LastIndexByte(b, '\n')+1]
	if err := r.parse(b); err != nil {
		return err
	}
	r.size = int64(len(b))
	if err := r.file.Truncate(r.size); err != nil {
		return err
	}
	if r.size == 0 {
		return r.write(r.plan.study.header())
	}
	return nil
}

// parse reads the rows of a file with that text.
func (r *store) parse(text []byte) error {
	lines := csv.NewReader(bytes.NewReader(text))
	lines.FieldsPerRecord = -1
	for header := true; ; {
		fields, err := lines.Read()
		if err == io.EOF {
			break
		}
		if err == nil && header {
			header = false
			if !slices.Equal(fields, r.plan.study.header()) {
				err = errOther
			}
		} else if err == nil {
			err = r.accept(fields)
		}
		var syntax *csv.ParseError
		if errors.As(err, &syntax) { // there may be no fields
			return fmt.Errorf("%s: line %d, column %d: %w", filepath.Join(r.dir, rowsFile), syntax.Line, syntax.Column, syntax.Err)
		}
		if err != nil {
			line, _ := lines.FieldPos(0)
			return fmt.Errorf("%s: line %d: %w", filepath.Join(r.dir, rowsFile), line, err)
		}
	}
	return nil
}

// accept parses the next row of the file.
func (r *store) accept(fields []string) error {
	if len(r.rows) == len(r.plan.runs) {
		return errors.New("more rows than runs")
	}
	row, err := r.plan.runs[len(r.rows)].parse(fields)
	if err != nil {
		return err
	}
	r.rows = append(r.rows, row)
	return nil
}

// add appends a row to the buffer.
func (r *store) add(row *Row) error {
	r.rows = append(r.rows, row)
	return r.csv.Write(row.fields())
}

// write writes a line immediately.
func (r *store) write(fields []string) error {
	if err := r.csv.Write(fields); err != nil {
		return err
	}
	return r.flush()
}

// flush writes the buffer to the file.
func (r *store) flush() error {
	r.csv.Flush()
	if r.buf.Len() == 0 {
		return r.csv.Error()
	}
	info, err := r.file.Stat()
	if err != nil {
		return err
	}
	if info.Size() != r.size {
		return fmt.Errorf("%s: another process writes to this file", r.file.Name())
	}
	n, err := r.file.WriteAt(r.buf.Bytes(), r.size)
	r.size += int64(n)
	r.buf.Reset()
	return err
}

// close writes the buffer, synchronizes the file with the disk, and closes it.
func (r *store) close() error {
	err := r.flush()
	if err == nil {
		err = r.file.Sync()
	}
	return cmp.Or(err, r.file.Close())
}
