package study

import (
	"bytes"
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
)

// The rows of a study, in a file that only grows.
//
// Rows are written in the order of the plan and each is a line. So whatever of
// the file is there after the process was killed is a beginning of what it was to
// be, but for a last line that may be cut off; this is dropped and the next row
// takes its place. A row is in the file once it was handed to the system: that
// survives the process, if not the machine.
//
// The weights of a lane are written now and then, into another file which takes
// the place of the one before, and only after the rows that led to them. The next
// process repeats those runs of the lane whose rows are there and whose effect on
// the weights is not, and checks that it comes to the same.

// The files of a study.
const (
	planFile    = "plan.json"
	rowsFile    = "runs.csv"
	weightsFile = "weights.json"
)

// A Row is a run that was done.
type Row struct {
	*Run
	Outcome
}

// header returns the names of the columns.
func (s *Study) header() []string {
	h := append([]string{s.Subject}, s.About...)
	for _, f := range s.Factors {
		h = append(h, f.Name)
	}
	h = append(h, "answer")
	for _, m := range measures {
		h = append(h, m.name)
	}
	h = append(h, s.More...)
	return append(h, "capped", "seconds")
}

// answers are what stands for a status.
var answers = map[dimacs.Status]string{dimacs.Satisfiable: "sat", dimacs.Unsatisfiable: "unsat", dimacs.Unknown: "unknown"}

// fields returns the row as it is written.
func (r *Row) fields() []string {
	f := append([]string{strconv.Itoa(r.subject.Number)}, r.Outcome.About...)
	f = append(f, r.levels...)
	f = append(f, answers[r.Answer])
	for _, m := range measures {
		f = append(f, strconv.FormatInt(*m.field(&r.Outcome), 10))
	}
	for _, n := range r.More {
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

// same reports whether two rows differ in nothing but the time.
func (r *Row) same(o *Row) bool {
	a, b := r.fields(), o.fields()
	return slices.Equal(a[:len(a)-1], b[:len(b)-1])
}

// errOther is what is wrong with rows that are not those of the plan.
var errOther = errors.New("these are not the rows of this study")

// parse reads a row of a run.
func (r *Run) parse(fields []string) (*Row, error) {
	s := r.plan.study
	if len(fields) != len(s.header()) {
		return nil, fmt.Errorf("there are %d columns, not %d", len(fields), len(s.header()))
	}
	row := &Row{Run: r}
	take := func(n int) []string { head := fields[:n]; fields = fields[n:]; return head }
	number := take(1)[0]
	row.Outcome.About = slices.Clone(take(len(s.About)))
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
		return nil, fmt.Errorf("%q is no answer", status)
	}
	for _, m := range measures {
		if err := number64(take(1)[0], m.field(&row.Outcome)); err != nil {
			return nil, err
		}
	}
	row.More = make([]int64, len(s.More))
	for i := range row.More {
		if err := number64(take(1)[0], &row.More[i]); err != nil {
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

// A recorder keeps the rows of a study in a folder.
type recorder struct {
	plan *Plan
	dir  string
	rows []*Row
	file *os.File
	size int64 // of the file, as far as it is ours
	buf  bytes.Buffer
	csv  *csv.Writer
}

// openRecorder opens the folder of a study, or makes it, and reads what is there.
// What is there of another study is an error.
func openRecorder(p *Plan, dir string) (*recorder, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	r := &recorder{plan: p, dir: dir}
	r.csv = csv.NewWriter(&r.buf)
	if err := r.claim(); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(filepath.Join(dir, rowsFile), os.O_RDWR|os.O_CREATE, 0o666)
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

// claim writes which study the folder has, or compares it with what is there.
func (r *recorder) claim() error {
	id := r.plan.identity()
	there, err := readIdentity(r.dir)
	if err != nil {
		return err
	}
	if there == nil {
		if _, err := os.Stat(filepath.Join(r.dir, rowsFile)); err == nil {
			return fmt.Errorf("%s has rows, but does not say of which study", r.dir)
		}
		if err := r.plan.keep(r.dir); err != nil {
			return err
		}
		return replaceJSON(filepath.Join(r.dir, planFile), id)
	}
	if !id.equal(*there) {
		return fmt.Errorf("%s has another study, or the same with other options or data: see %s; name another folder", r.dir, planFile)
	}
	return nil
}

// replaceJSON writes a file that is whole or not there.
func replaceJSON(name string, v any) error {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return replaceFile(name, append(b, '\n'))
}

func replaceFile(name string, b []byte) error {
	if err := os.WriteFile(name+".new", b, 0o666); err != nil {
		return err
	}
	return os.Rename(name+".new", name)
}

// load reads the rows that are there and drops a last line that is cut off.
func (r *recorder) load() error {
	b, err := io.ReadAll(r.file)
	if err != nil {
		return err
	}
	b = b[:bytes.LastIndexByte(b, '\n')+1]
	lines := csv.NewReader(bytes.NewReader(b))
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
		if err != nil {
			line, _ := lines.FieldPos(0)
			return fmt.Errorf("%s: line %d: %w", r.file.Name(), line, err)
		}
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

// accept takes the next row of the file.
func (r *recorder) accept(fields []string) error {
	if len(r.rows) == len(r.plan.runs) {
		return errors.New("there are more rows than runs")
	}
	row, err := r.plan.runs[len(r.rows)].parse(fields)
	if err != nil {
		return err
	}
	r.rows = append(r.rows, row)
	return nil
}

// add appends a row, which is written with the next flush.
func (r *recorder) add(row *Row) error {
	r.rows = append(r.rows, row)
	return r.csv.Write(row.fields())
}

// write appends a line at once.
func (r *recorder) write(fields []string) error {
	if err := r.csv.Write(fields); err != nil {
		return err
	}
	return r.flush()
}

// flush hands the lines added to the system.
func (r *recorder) flush() error {
	r.csv.Flush()
	if r.buf.Len() == 0 {
		return r.csv.Error()
	}
	info, err := r.file.Stat()
	if err != nil {
		return err
	}
	if info.Size() != r.size {
		return fmt.Errorf("%s: somebody else writes to it", r.file.Name())
	}
	n, err := r.file.WriteAt(r.buf.Bytes(), r.size)
	r.size += int64(n)
	r.buf.Reset()
	return err
}

// close writes what is left.
func (r *recorder) close() error { return errors.Join(r.flush(), r.file.Close()) }

// A laneState is how far a lane has come.
type laneState struct {
	Runs    int      `json:"runs"` // of the lane, done
	Weights *Weights `json:"weights"`
}

// loadLanes reads the weights, none if there are none yet.
func (r *recorder) loadLanes() (map[string]laneState, error) {
	lanes := map[string]laneState{}
	name := filepath.Join(r.dir, weightsFile)
	b, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) {
		return lanes, nil
	}
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(b, &lanes); err != nil {
		return nil, fmt.Errorf("%s: %v", name, err)
	}
	return lanes, nil
}

// saveLanes writes the weights, behind the rows that led to them.
func (r *recorder) saveLanes(lanes map[string]laneState) error {
	if err := r.flush(); err != nil {
		return err
	}
	b, err := json.Marshal(lanes)
	if err != nil {
		return err
	}
	return replaceFile(filepath.Join(r.dir, weightsFile), b)
}
