package record

import (
	"bytes"
	"errors"
	"io"
	"os"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"sator/dimacs"
	"sator/internal/fuzztest"
)

// fill sets all fields of v, which is addressable, to values other than zero that differ
// from each other.
func fill(v reflect.Value, next *int) {
	*next++
	switch v.Kind() {
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(*next))
	case reflect.Uint64:
		v.SetUint(uint64(*next))
	case reflect.Float64:
		v.SetFloat(float64(*next) + 0.25)
	case reflect.String:
		v.SetString(strings.Repeat("x", *next%7+1) + `"\`)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), next)
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), next)
		}
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i), next)
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(v.Index(0), next)
		fill(v.Index(1), next)
	case reflect.Map:
		e := reflect.New(v.Type().Elem()).Elem()
		fill(e, next)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.ValueOf("key"), e)
	case reflect.Interface:
		v.Set(reflect.ValueOf("any"))
	default:
		panic(v.Kind().String())
	}
}

// full returns a valid recording with one line of each type, in which every field is set.
func full() []Line {
	var lines []Line
	next := 0
	for _, make := range types {
		l := make()
		v := reflect.ValueOf(l).Elem()
		fill(v, &next)
		if f := v.FieldByName("Solver"); f.IsValid() {
			f.SetInt(1)
		}
		if r, is := l.(*Run); is {
			r.Version = Version
		}
		lines = append(lines, l)
	}
	return lines
}

// text returns the text of lines.
func text(lines ...Line) string {
	var b strings.Builder
	w := NewWriter(&b)
	for _, l := range lines {
		w.Write(l)
	}
	return b.String()
}

func TestRoundTrip(t *testing.T) {
	for name, lines := range map[string][]Line{
		"full": full(),
		"zero": {&Run{Version: 1, Solvers: []string{"x"}}, &Formula{}, &Sample{}, &Event{}, &Pass{}, &Exchange{}, &End{}},
	} {
		for _, got := range []string{text(lines...), strings.ReplaceAll(text(lines...), "\n", "\r\n\n"), strings.TrimSuffix(text(lines...), "\n")} {
			all, err := Read("run.jsonl", iotest.OneByteReader(strings.NewReader(got)))
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if !reflect.DeepEqual(all.Lines, lines) {
				t.Errorf("%s: got\n%s\nwant\n%s", name, text(all.Lines...), text(lines...))
			}
			if all.Run != all.Lines[0] || all.Formula != all.Lines[1] || all.End != all.Lines[len(all.Lines)-1] {
				t.Errorf("%s: Run, Formula or End is missing", name)
			}
		}
	}
}

func TestTypeIsFirst(t *testing.T) {
	for _, l := range full() {
		if got, want := text(l), `{"t":"`+l.Type()+`",`; !strings.HasPrefix(got, want) || strings.Count(got, "\n") != 1 {
			t.Errorf("%T: got %s", l, got)
		}
	}
}

const (
	runLine = `{"t":"run","version":1,"solvers":["a","b"]}` + "\n"
	endLine = `{"t":"end","status":"UNKNOWN"}` + "\n"
)

func TestReadErrors(t *testing.T) {
	for _, c := range []struct {
		in    string
		err   string
		lines int // read before the error
	}{
		{"", "run.jsonl: the recording is empty", 0},
		{runLine, "run.jsonl: the recording is truncated after line 1: it has no line of the type end", 1},
		{runLine + `{"t":"sample","s":1}` + "\n" + `{"t":"sam`, "run.jsonl: the recording is truncated after line 2: it has no line of the type end", 2},
		{"p cnf 1 1\n1 0\n", "run.jsonl:1:1: invalid JSON: invalid character 'p' looking for beginning of value", 0},
		{`{"t":`, "run.jsonl:1:5: invalid JSON: unexpected end of JSON input", 0},
		{"[]\n", "run.jsonl:1:1: want a JSON object, not a JSON array", 0},
		{"{}\n", `run.jsonl:1:1: not a line of a recording: it has no member "t"`, 0},
		{endLine, "run.jsonl:1:1: a line of the type end: want the type run in the first line only", 0},
		{runLine + runLine, "run.jsonl:2:1: a line of the type run: want the type run in the first line only", 1},
		{`{"t":"run","version":2}` + "\n", "run.jsonl:1:1: version 2 of the format: this program reads versions 1 to 1", 0},
		{`{"t":"run"}` + "\n", "run.jsonl:1:1: version 0 of the format: want 1 to 1", 0},
		{runLine + endLine + `{"t":"new"}` + "\n", "run.jsonl:3:1: a line of the type new after the line of the type end", 2},
		{runLine + `{"t":"event","s":2}` + "\n", "run.jsonl:2:1: solver 2: the run has 2 solvers, counted from 0", 1},
		{runLine + `{"t":"event","s":-1}` + "\n", "run.jsonl:2:1: solver -1: the run has 2 solvers, counted from 0", 1},
		{runLine + `{"t":"event","s":0,}` + "\n", "run.jsonl:2:20: invalid JSON: invalid character '}' looking for beginning of object key string", 1},
		{runLine + `{"t":"sample","s":0,"time":"x"}` + "\n", "run.jsonl:2:30: invalid member time: want a number, not a JSON string", 1},
		{runLine + `{"t":"sample","s":0,"focused":3}` + "\n", "run.jsonl:2:31: invalid member focused: want an object, not a JSON number", 1},
		{runLine + `{"t":"sample","s":0,"trail":1.5}` + "\n", "run.jsonl:2:31: invalid member trail: want an integer in the range of int, not a JSON number 1.5", 1},
		{`{"t":"run","version":1,"solvers":[1]}` + "\n", "run.jsonl:1:35: invalid member solvers: want a string, not a JSON number", 0},
		{runLine + strings.Repeat(" ", MaxLine+1) + "\n", "run.jsonl:2:16777217: the line exceeds 16777216 bytes", 1},
	} {
		all, err := Read("run.jsonl", strings.NewReader(c.in))
		if err == nil || err.Error() != c.err {
			t.Errorf("%.60q: got %v, want %s", c.in, err, c.err)
		}
		lines := 0
		if all != nil {
			lines = len(all.Lines)
		}
		if lines != c.lines {
			t.Errorf("%.60q: got %d lines, want %d", c.in, lines, c.lines)
		}
		if truncated := strings.Contains(c.err, "trunc") || c.in == ""; truncated != errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%.60q: io.ErrUnexpectedEOF is not the cause of a truncation alone", c.in)
		}
	}
}

// TestTruncatedAnywhere cuts a recording at every byte.
func TestTruncatedAnywhere(t *testing.T) {
	lines := full()
	all := text(lines...)
	for n := range len(all) - 1 {
		got, err := Read("", strings.NewReader(all[:n]))
		complete := strings.Count(all[:n], "\n")
		if n+1 < len(all) && all[n] == '\n' {
			complete++ // the line feed alone is missing
		}
		if complete == 0 {
			if err == nil || got != nil {
				t.Fatalf("%d bytes: got %v, %v", n, got, err)
			}
			continue
		}
		var truncated *TruncatedError
		if !errors.As(err, &truncated) || truncated.Line != complete || !reflect.DeepEqual(got.Lines, lines[:complete]) {
			t.Fatalf("%d bytes: got %v, want %d lines", n, err, complete)
		}
	}
}

// TestReadFiles reads sample.jsonl, whose values are made up for tests of other packages, and
// prime-28.jsonl, the recording of a run.
func TestReadFiles(t *testing.T) {
	for _, name := range []string{"sample.jsonl", "prime-28.jsonl"} {
		text, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		all, err := Read(name, bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]int{}
		for _, l := range all.Lines {
			seen[l.Type()]++
		}
		for _, kind := range []string{"run", "formula", "sample", "event", "pass", "end"} {
			if seen[kind] == 0 {
				t.Errorf("%s has no line of the type %s", name, kind)
			}
		}
	}
}

func TestUnknownIsSkipped(t *testing.T) {
	in := `{"t":"run","version":1,"solvers":["a"],"weather":{"wind":3}}` + "\n" + `{"t":"news","s":7}` + "\n" + endLine
	all, err := Read("", strings.NewReader(in))
	if err != nil || len(all.Lines) != 2 {
		t.Errorf("got %v, %v", all, err)
	}
}

func TestReaderKeepsErrors(t *testing.T) {
	broken := errors.New("broken disk")
	all, err := Read("", io.MultiReader(strings.NewReader(runLine+`{"t":"sa`), iotest.ErrReader(broken)))
	if !errors.Is(err, broken) || len(all.Lines) != 1 {
		t.Errorf("got %v, %v", all, err)
	}
}

func TestWriterKeepsError(t *testing.T) {
	broken := errors.New("broken disk")
	calls := 0
	w := NewWriter(writerFunc(func(b []byte) (int, error) { calls++; return 0, broken }))
	for range 3 {
		if err := w.Write(&Sample{}); err != broken {
			t.Errorf("got %v", err)
		}
	}
	if calls != 1 || w.Err() != broken {
		t.Errorf("%d calls, error %v", calls, w.Err())
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }

func TestDescribe(t *testing.T) {
	f := dimacs.NewFormula(12)
	f.AddInts(1, 2)
	f.AddInts(-1, 2, -3)
	f.AddInts(-4, -5)
	f.AddInts()
	f.AddInts(1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
	f.AddInts(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, -11)
	got := *Describe(f)
	want := Formula{Vars: 12, Clauses: 6, Literals: 28, Sizes: [11]int{0: 1, 2: 2, 3: 1, 10: 2}, Horn: 3, Positive: 2, Negative: 1}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// FuzzRead checks that a recording that was read is read again as the same lines, and that
// errors have positions within the input.
func FuzzRead(f *testing.F) {
	seeds := [][]byte{[]byte(text(full()...)), []byte(runLine + endLine), []byte(runLine + `{"t":"sample","s":0,"time":"x"}`)}
	words := []string{runLine, endLine, "{", "}", "[", "]", ":", ",", "\n", "null", `""`, "1e99", "-1", `"t"`, `"sample"`, `"event"`, `"pass"`, `"s"`, `"time"`, `"version"`}
	fuzztest.Run(f, seeds, words, func(t testing.TB, in []byte) {
		all, err := Read("", bytes.NewReader(in))
		if syntax := (*dimacs.SyntaxError)(nil); errors.As(err, &syntax) {
			lines := strings.Split(string(in), "\n")
			if syntax.Line < 1 || syntax.Line > len(lines) || syntax.Col < 1 || syntax.Col > len(lines[syntax.Line-1])+1 {
				t.Errorf("the error is outside of the input: %v", err)
			}
		}
		if all == nil {
			return
		}
		again, errAgain := Read("", strings.NewReader(text(all.Lines...)))
		if text(all.Lines...) != text(again.Lines...) || (errAgain == nil) != (all.End != nil) {
			t.Errorf("got %v, %v after %v", again, errAgain, err)
		}
	})
}
