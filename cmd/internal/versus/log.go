package versus

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"os"
	"slices"
	"strings"

	"sator/dimacs"
	"sator/dimacs/file"
)

// A Log is a CSV file of runs: a header line, and one line per run, written when the run ends.
// Lines that begin with # are comments; they record on which machine and by which command the runs
// were made. Logs of earlier versions have fewer columns, in the header and in the lines appended to them.
//
// The file is append-only. A bench that is killed loses at most the run in progress. A truncated
// last line is removed when the file is opened again, and its run is done again.
type Log struct {
	file *file.Handle
	content
}

// A content is the parsed content of a log.
type content struct {
	runs     []Run
	comments []string
	whole    int // length of the complete lines, in bytes
	width    int // number of columns
}

// OpenLog opens a log for appending, or creates it. Invalid content is reported as a
// *dimacs.SyntaxError, and the file is left unchanged. A nil disk is that of the system.
func OpenLog(disk *file.Disk, name string) (*Log, error) {
	f, err := disk.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
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

// ReadLog reads a log without changing it. It returns the runs and the comments and ignores a
// truncated last line.
func ReadLog(name string) (runs []Run, comments []string, err error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, nil, err
	}
	c, err := parseLog(name, data)
	return c.runs, c.comments, err
}

// load reads the file, removes a truncated last line, and writes the header if the file is empty.
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

// headerLine returns the first line of a log.
func headerLine() string { return headerOf(len(columns)) }

// headerOf returns the first line of a log with the first columns.
func headerOf(width int) string { return strings.Join(header(width), ",") + "\n" }

// parseLog parses a log. The last line is ignored if it is truncated: it has no line end or, after
// a crash of the system, invalid content.
func parseLog(name string, data []byte) (content, error) {
	c := content{width: len(columns)}
	first := []byte(headerLine())
	for _, width := range widths {
		if line := []byte(headerOf(width)); bytes.HasPrefix(data, line) {
			c.width, first = width, line
		}
	}
	if len(data) < len(first) && bytes.HasPrefix(first, data) {
		return c, nil
	}
	if !bytes.HasPrefix(data, first) {
		return c, &dimacs.SyntaxError{File: name, Line: 1, Col: 1, Msg: "not a log of runs: the first line is not the expected header"}
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
		r, err := parseLine(line, c.width)
		if err != nil && c.whole+end == len(data) {
			break
		} else if err != nil {
			return content{}, &dimacs.SyntaxError{File: name, Line: n, Col: 1, Msg: err.Error()}
		}
		if !known[r.key()] { // of two runs by concurrent benches, the first counts
			known[r.key()] = true
			c.runs = append(c.runs, r)
		}
		c.whole += end
	}
	return c, nil
}

// parseLine parses a row. It rejects zero bytes, with which some file systems fill a line after a
// crash.
func parseLine(line []byte, width int) (Run, error) {
	if bytes.IndexByte(line, 0) >= 0 {
		return Run{}, errors.New("zero byte")
	}
	row, err := csv.NewReader(bytes.NewReader(line)).Read()
	if err == io.EOF {
		err = errors.New("empty line")
	}
	if parse := (*csv.ParseError)(nil); errors.As(err, &parse) {
		err = parse.Err
	}
	if err != nil {
		return Run{}, err
	}
	return parseRun(row, width)
}

// Runs returns all runs of the log.
func (l *Log) Runs() []Run { return l.runs }

// Append appends a run and syncs the file.
func (l *Log) Append(r Run) error {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	if err := w.Write(r.fields()[:l.width]); err != nil {
		return err
	}
	if w.Flush(); w.Error() != nil {
		return w.Error()
	}
	if err := l.write(b.Bytes()); err != nil {
		return err
	}
	l.runs = append(l.runs, r)
	return nil
}

// Comments returns all comments of the log.
func (l *Log) Comments() []string { return l.comments }

// Comment appends a one-line comment, unless the log already has it.
func (l *Log) Comment(text string) error {
	text = strings.TrimSpace(oneLine(text))
	if slices.Contains(l.comments, text) {
		return nil
	}
	l.comments = append(l.comments, text)
	return l.write([]byte("# " + text + "\n"))
}

// write appends a line and syncs the file.
func (l *Log) write(line []byte) error {
	if _, err := l.file.Write(line); err != nil {
		return err
	}
	return l.file.Sync()
}

// Close closes the file.
func (l *Log) Close() error { return l.file.Close() }
