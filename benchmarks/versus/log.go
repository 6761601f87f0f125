package versus

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"sator/dimacs"
)

// A Log is a file of records as CSV: a line with the names of the columns, and a line for each run,
// written when it is over. Lines that begin with # are comments: where and by what command the runs
// were made.
//
// Nothing is ever rewritten, so that a bench which is killed, at whatever moment, loses the run
// that it was at and no other. If the last line was cut off, it is dropped when the file is opened
// again, and its run is missing.
type Log struct {
	file *os.File
	content
}

// A content is what a file of records holds.
type content struct {
	records  []Run
	comments []string
	whole    int // bytes in whole lines
}

// OpenLog opens a file of records, to be continued, or begins a new one. An error about its content
// is of type *dimacs.SyntaxError. A file that is none of records is left as it is.
func OpenLog(name string) (*Log, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return nil, err
	}
	l := &Log{file: f}
	if err := l.load(name); err != nil {
		f.Close()
		return nil, err
	}
	return l, nil
}

// ReadLog reads a file of records that is not to be continued, as OpenLog does: the records and the
// comments. A last line that was cut off says nothing.
func ReadLog(name string) (records []Run, comments []string, err error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, nil, err
	}
	c, err := parseLog(name, data)
	return c.records, c.comments, err
}

// load reads what there is, removes a line that was cut off, and begins the file if nothing is
// left.
func (l *Log) load(name string) error {
	data, err := io.ReadAll(l.file)
	if err != nil {
		return err
	}
	if l.content, err = parseLog(name, data); err != nil {
		return err
	}
	if l.whole < len(data) {
		if err := l.file.Truncate(int64(l.whole)); err != nil {
			return err
		}
	}
	if l.whole == 0 {
		return l.write([]byte(headerLine()))
	}
	return nil
}

// headerLine is the first line of a file of records.
func headerLine() string { return strings.Join(header(), ",") + "\n" }

// parseLog reads records. A last line that was cut off is not a whole one: its end is missing or,
// after a crash of the system, its content makes no sense.
func parseLog(name string, data []byte) (content, error) {
	var c content
	first := []byte(headerLine())
	if len(data) < len(first) && bytes.HasPrefix(first, data) {
		return c, nil
	}
	if !bytes.HasPrefix(data, first) {
		return c, &dimacs.SyntaxError{File: name, Line: 1, Col: 1, Msg: "this is no file of runs: its first line does not name their columns"}
	}
	c.whole = len(first)
	known := map[key]bool{}
	for n := 2; c.whole < len(data); n++ {
		end := bytes.IndexByte(data[c.whole:], '\n') + 1
		if end == 0 {
			break
		}
		line := data[c.whole : c.whole+end]
		if text, is := bytes.CutPrefix(line, []byte("#")); is {
			c.comments = append(c.comments, string(bytes.TrimSpace(text)))
			c.whole += end
			continue
		}
		r, err := parseLine(line)
		if err != nil && c.whole+end == len(data) {
			break
		} else if err != nil {
			return content{}, &dimacs.SyntaxError{File: name, Line: n, Col: 1, Msg: err.Error()}
		}
		if !known[r.key()] { // of two runs at once, the first counts
			known[r.key()] = true
			c.records = append(c.records, r)
		}
		c.whole += end
	}
	return c, nil
}

// parseLine reads a row. A zero byte is what some systems leave of a line after a crash.
func parseLine(line []byte) (Run, error) {
	if bytes.IndexByte(line, 0) >= 0 {
		return Run{}, errors.New("there is a zero byte")
	}
	row, err := csv.NewReader(bytes.NewReader(line)).Read()
	if err == io.EOF {
		err = errors.New("the line is empty")
	}
	if parse := (*csv.ParseError)(nil); errors.As(err, &parse) {
		err = parse.Err
	}
	if err != nil {
		return Run{}, err
	}
	return parseRecord(row)
}

// Runs returns the runs so far.
func (l *Log) Runs() []Run { return l.records }

// Append adds a record, which is on the disk when Append returns.
func (l *Log) Append(r Run) error {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	if err := w.Write(r.fields()); err != nil {
		return err
	}
	if w.Flush(); w.Error() != nil {
		return w.Error()
	}
	if err := l.write(b.Bytes()); err != nil {
		return err
	}
	l.records = append(l.records, r)
	return nil
}

// Comments returns the comments so far.
func (l *Log) Comments() []string { return l.comments }

// Comment adds a comment of one line, unless there is the same.
func (l *Log) Comment(text string) error {
	text = strings.TrimSpace(oneLine(text))
	if slices.Contains(l.comments, text) {
		return nil
	}
	l.comments = append(l.comments, text)
	return l.write([]byte("# " + text + "\n"))
}

// write writes a line at once.
func (l *Log) write(line []byte) error {
	if _, err := l.file.Write(line); err != nil {
		return err
	}
	if err := l.file.Sync(); err != nil && !errors.Is(err, os.ErrInvalid) {
		return fmt.Errorf("%s: %w", l.file.Name(), err)
	}
	return nil
}

// Close closes the file.
func (l *Log) Close() error { return l.file.Close() }
