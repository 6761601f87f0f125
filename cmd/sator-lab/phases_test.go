package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/clitest"
)

// cpuProfile returns a profile with a call graph main > search > propagate, in which
// propagate calls itself, and watch is inlined in propagate.
func cpuProfile(phase func(name string) map[string][]string) *profile.Profile {
	p := &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}},
		PeriodType: &profile.ValueType{Type: "cpu", Unit: "nanoseconds"},
		Period:     1e7,
	}
	function := func(name string) profile.Line {
		f := &profile.Function{ID: uint64(len(p.Function) + 1), Name: name}
		p.Function = append(p.Function, f)
		return profile.Line{Function: f}
	}
	location := func(lines ...profile.Line) *profile.Location {
		l := &profile.Location{ID: uint64(len(p.Location) + 1), Line: lines}
		p.Location = append(p.Location, l)
		return l
	}
	run, search, propagate, watch := function("main"), function("search"), function("propagate"), function("watch")
	inMain, inSearch, inPropagate, inWatch := location(run), location(search), location(propagate), location(watch, propagate)
	add := func(name string, count int64, stack ...*profile.Location) {
		p.Sample = append(p.Sample, &profile.Sample{Location: stack, Value: []int64{count, count * 1e7}, Label: phase(name)})
	}
	add("search", 40, inPropagate, inPropagate, inSearch, inMain)
	add("search", 25, inWatch, inSearch, inMain)
	add("search", 5, location(function("runtime.asyncPreempt")), inSearch, inMain)
	add("read", 20, inMain)
	add("", 10, inMain)
	return p
}

// phaseLabels returns the labels that sator sets.
func phaseLabels(name string) map[string][]string {
	if name == "" {
		return nil
	}
	return map[string][]string{"phase": {name}}
}

// writeProfile creates the file of a profile.
func writeProfile(t *testing.T, p *profile.Profile) string {
	t.Helper()
	return clitest.Write(t, "cpu.pprof", profileText(t, p))
}

// profileText returns the content of the file of a profile.
func profileText(t *testing.T, p *profile.Profile) string {
	t.Helper()
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestPhases checks the times of a profile whose samples are known.
func TestPhases(t *testing.T) {
	name := writeProfile(t, cpuProfile(phaseLabels))
	for _, c := range []struct{ flags, want string }{
		{"--functions 2", `1.00 s of processor time, 100 samples

search                0.70 s   70.0 %
     flat s        %     cum s        %  function
       0.40     57.1      0.65     92.9  propagate
       0.25     35.7      0.25     35.7  watch

read                  0.20 s   20.0 %
     flat s        %     cum s        %  function
       0.20    100.0      0.20    100.0  main

none                  0.10 s   10.0 %
     flat s        %     cum s        %  function
       0.10    100.0      0.10    100.0  main
`},
		{"--functions 1 --json", `{"seconds":1,"samples":100,"phases":[` +
			`{"phase":"search","seconds":0.7,"share":0.7,"functions":[{"name":"propagate","flat":0.4,"cum":0.65}]},` +
			`{"phase":"read","seconds":0.2,"share":0.2,"functions":[{"name":"main","flat":0.2,"cum":0.2}]},` +
			`{"phase":"none","seconds":0.1,"share":0.1,"functions":[{"name":"main","flat":0.1,"cum":0.1}]}]}` + "\n"},
		{"--functions 2 --cum --json", `{"seconds":1,"samples":100,"phases":[` +
			`{"phase":"search","seconds":0.7,"share":0.7,"functions":[{"name":"main","flat":0,"cum":0.7},{"name":"search","flat":0.05,"cum":0.7}]},` +
			`{"phase":"read","seconds":0.2,"share":0.2,"functions":[{"name":"main","flat":0.2,"cum":0.2}]},` +
			`{"phase":"none","seconds":0.1,"share":0.1,"functions":[{"name":"main","flat":0.1,"cum":0.1}]}]}` + "\n"},
	} {
		args := append([]string{"phases"}, strings.Fields(c.flags)...)
		code, stdout, stderr := execute(t, &cli.Env{}, append(args, name)...)
		if code != 0 || stdout != c.want || stderr != "" {
			t.Errorf("%s: exit code %d\n%s%s\nwant\n%s", c.flags, code, stdout, stderr, c.want)
		}
	}
}

// TestPhasesRefused checks that a file without phases is one error and prints nothing.
func TestPhasesRefused(t *testing.T) {
	unlabeled := cpuProfile(func(string) map[string][]string { return nil })
	heap, empty := cpuProfile(phaseLabels), cpuProfile(phaseLabels)
	heap.SampleType[1] = &profile.ValueType{Type: "inuse_space", Unit: "bytes"}
	empty.Sample = nil
	text := clitest.Write(t, "text", "p cnf 1 1\n1 0\n")
	for _, c := range []struct{ name, want string }{
		{writeProfile(t, unlabeled), `no sample has the label "phase"`},
		{writeProfile(t, heap), "not a CPU profile"},
		{writeProfile(t, empty), "the profile has no samples"},
		{text, "not a profile of package runtime/pprof"},
		{"nowhere", "no such file"},
	} {
		code, stdout, stderr := execute(t, &cli.Env{}, "phases", c.name)
		if code != cli.CodeInput || stdout != "" || !strings.Contains(stderr, c.want) || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, c.name+": ") {
			t.Errorf("%s: exit code %d, output %q, errors %q, want %q", c.name, code, stdout, stderr, c.want)
		}
	}
}
