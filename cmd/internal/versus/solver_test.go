package versus

import (
	"slices"
	"strings"
	"testing"

	"sator/internal/fuzztest"
)

func TestParse(t *testing.T) {
	for _, x := range []struct {
		text          string
		line          string
		plain, proven []string
	}{
		{"cadical", "cadical -q {file}", []string{"-q", "F"}, []string{"-q", "F", "P"}},
		{"minisat", "minisat -verb=0 {file} {model}", []string{"-verb=0", "F", "M"}, []string{"-verb=0", "F", "M"}},
		{"glucose", "glucose -verb=0 -model {file}", []string{"-verb=0", "-model", "F"}, []string{"-verb=0", "-model", "-certified", "-certified-output=P", "F"}},
		{"sator", "sator solve -q {file}", []string{"solve", "-q", "F"}, []string{"solve", "-q", "--proof", "P", "F"}},
		{"x=prog", "prog {file}", []string{"F"}, []string{"F"}},
		{"x= prog  -a\t-b ", "prog -a -b {file}", []string{"-a", "-b", "F"}, []string{"-a", "-b", "F"}},
		{`x='my prog' "a 'b'" --c='d e' {file}`, `'my prog' "a 'b'" '--c=d e' {file}`, []string{"a 'b'", "--c=d e", "F"}, []string{"a 'b'", "--c=d e", "F"}},
		{"x=p --in={file} ''", "p --in={file} ''", []string{"--in=F", ""}, []string{"--in=F", ""}},
		{"x=p [ -p {proof} ] {file}", "p {file}", []string{"F"}, []string{"-p", "P", "F"}},
		{"x=p '[a]' b]", "p '[a]' 'b]' {file}", []string{"[a]", "b]", "F"}, []string{"[a]", "b]", "F"}},
	} {
		s, err := Parse(x.text)
		if err != nil {
			t.Errorf("%s: %v", x.text, err)
			continue
		}
		if got := s.line(false); got != x.line {
			t.Errorf("%s is written as %s, want %s", x.text, got, x.line)
		}
		if got := s.arguments("F", "M", "", 1); !slices.Equal(got, x.plain) {
			t.Errorf("%s: %q, want %q", x.text, got, x.plain)
		}
		if got := s.arguments("F", "M", "P", 1); !slices.Equal(got, x.proven) {
			t.Errorf("%s with a proof: %q, want %q", x.text, got, x.proven)
		}
		if s.Proves() == slices.Equal(x.plain, x.proven) {
			t.Errorf("%s: proves is %v", x.text, s.Proves())
		}
	}
}

func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"nosuch":        `unknown solver "nosuch": want sator, cadical`,
		"=p":            `invalid solver name ""`,
		"a b=p":         `invalid solver name "a b"`,
		"#a=p":          `invalid solver name "#a"`,
		"x=":            "names no program",
		"x=[p]":         "names no program",
		"x=p [a":        "unclosed bracket",
		"x=p 'a":        "unclosed quote '",
		"x=p {proof}":   "between brackets",
		"x=p \"{file}'": "unclosed quote \"",
	} {
		if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", text, err, want)
		}
	}
}

// The properties of a known program apply to a solver of any name.
func TestParseInherits(t *testing.T) {
	s, err := Parse("fast=/opt/bin/minisat -no-elim {file} {model}")
	if err != nil || !slices.Equal(s.Reads, []string{"gzip"}) {
		t.Errorf("%+v, error %v", s, err)
	}
}

func TestKnown(t *testing.T) {
	if KnownSolvers[0].Name != "sator" {
		t.Errorf("the first solver is %s", KnownSolvers[0].Name)
	}
	for i, k := range KnownSolvers {
		if slices.Contains(KnownNames()[:i], k.Name) {
			t.Errorf("%s is there twice", k.Name)
		}
		s, err := Parse(k.Name)
		if err != nil {
			t.Errorf("%s: %v", k.Name, err)
			continue
		}
		if !validName(k.Name) || s.words[0].text != k.Name || !s.mentions("{file}") {
			t.Errorf("%s: %+v", k.Name, s)
		}
	}
}

// line is the inverse of split.
func FuzzParse(f *testing.F) {
	seeds := [][]byte{[]byte(`a 'b c' "d'e" [f g] '' [h]`)}
	for _, k := range KnownSolvers {
		seeds = append(seeds, []byte(k.Command))
	}
	fuzztest.Run(f, seeds, []string{"'", `"`, "[", "]", "{file}", "{proof}", "{seconds}", `\`, "a b"}, func(t testing.TB, in []byte) {
		command := string(in)
		words, err := split(command)
		if err != nil || strings.ContainsAny(command, "'\"") {
			return
		}
		s := &Solver{words: words}
		again, err := split(s.line(true))
		if err != nil {
			t.Fatalf("%q, written as %q: %v", command, s.line(true), err)
		}
		same := func(a, b word) bool { return a.text == b.text }
		if !slices.EqualFunc(again, words, same) {
			t.Errorf("%q is %v, written as %q it is %v", command, words, s.line(true), again)
		}
	})
}
