package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"sator/cmd/internal/cli"
	"sator/dimacs/file"
	"sator/internal/dplltest"
)

// countsFormat is the first member of a file of counts. The number changes when an
// older program would misread the file.
const countsFormat = "sator-lab fuzz counts 1"

// countsInterval is the time between two writes of the counts. After a kill the rounds
// since the last write are repeated, with the same seeds. Tests change it.
var countsInterval = 4 * time.Second

// fuzzCounts are the counts of all runs with one --counts file. They cover the seeds
// from FirstSeed to NextSeed-1, each once.
type fuzzCounts struct {
	Format     string           `json:"format"`
	FirstSeed  uint64           `json:"first_seed"`
	NextSeed   uint64           `json:"next_seed"`
	Vars       int              `json:"vars"`
	Traces     int              `json:"traces"`
	Rounds     map[string]int64 `json:"rounds"`     // by engine, with " traces" for rounds with traces
	Counts     map[string]int64 `json:"counts"`     // the rows of dplltest.Counts
	Techniques map[string]int64 `json:"techniques"` // rounds with a success, by technique
	Failed     []uint64         `json:"failed"`     // seeds of failures
	Builds     []fuzzBuild      `json:"builds"`
	Checksum   string           `json:"checksum"` // CRC-32 of the file with an empty checksum
}

// A fuzzBuild is the work of one build of the program.
type fuzzBuild struct {
	Version  string  `json:"version"`
	Go       string  `json:"go"`
	Satcheck bool    `json:"satcheck"` // invariants were checked
	Rounds   int64   `json:"rounds"`
	CPU      float64 `json:"cpu_seconds"` // 0 on systems that do not count it
	Wall     float64 `json:"wall_seconds"`
}

// newFuzzCounts returns empty counts for the flags o.
func newFuzzCounts(o *fuzzOptions) *fuzzCounts {
	return &fuzzCounts{
		Format: countsFormat, FirstSeed: o.seed, NextSeed: o.seed, Vars: o.vars, Traces: o.traces,
		Rounds: map[string]int64{}, Counts: map[string]int64{}, Techniques: map[string]int64{}, Failed: []uint64{},
	}
}

// thisBuild returns an entry for the running program, without work.
func thisBuild() fuzzBuild {
	b := fuzzBuild{Version: cli.Version(), Go: runtime.Version()}
	if info, ok := debug.ReadBuildInfo(); ok {
		b.Satcheck = slices.ContainsFunc(info.Settings, func(s debug.BuildSetting) bool {
			return s.Key == "-tags" && slices.Contains(strings.Split(s.Value, ","), "satcheck")
		})
	}
	return b
}

// take counts a round.
func (c *fuzzCounts) take(r *dplltest.Round) {
	c.NextSeed++
	kind := r.Subject
	if r.Counts.Traces > 0 {
		kind += " traces"
	}
	c.Rounds[kind]++
	for _, row := range r.Counts.Rows() {
		c.Counts[row.Name] += *row.N
	}
	for i, technique := range fuzzTechniques {
		c.Techniques[technique.name] += int64(r.Counts.Succeeded >> i & 1)
	}
	if r.Err != nil {
		c.Failed = append(c.Failed, r.Seed)
	}
}

// rounds returns the number of rounds.
func (c *fuzzCounts) rounds() int64 { return int64(c.NextSeed - c.FirstSeed) }

// work sets the builds to the builds before, and adds the work of the running program: to
// the entry of an equal build, or as a new entry.
func (c *fuzzCounts) work(before []fuzzBuild, rounds int64, cpu, wall time.Duration) {
	b := thisBuild()
	c.Builds = slices.Clone(before)
	at := slices.IndexFunc(c.Builds, func(x fuzzBuild) bool {
		return x.Version == b.Version && x.Go == b.Go && x.Satcheck == b.Satcheck
	})
	if at < 0 {
		at = len(c.Builds)
		c.Builds = append(c.Builds, b)
	}
	c.Builds[at].Rounds += rounds
	c.Builds[at].CPU += cpu.Seconds()
	c.Builds[at].Wall += wall.Seconds()
}

// spent returns the time of all runs.
func (c *fuzzCounts) spent() (cpu, wall time.Duration) {
	var sum fuzzBuild
	for _, b := range c.Builds {
		sum.CPU += b.CPU
		sum.Wall += b.Wall
	}
	return time.Duration(sum.CPU * float64(time.Second)), time.Duration(sum.Wall * float64(time.Second))
}

// marshal returns the text of the file.
func (c *fuzzCounts) marshal() []byte {
	c.Checksum = ""
	sum := fmt.Sprintf("%08x", crc32.ChecksumIEEE(c.text()))
	c.Checksum = sum
	return c.text()
}

// text returns the counts as they are.
func (c *fuzzCounts) text() []byte {
	text, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		panic(err) // there is no value that JSON cannot represent
	}
	return append(text, '\n')
}

// readCounts reads a file of counts. It returns nil if there is no such file, and an
// error that begins with its name if it is not whole or not a file of counts. text is
// the content.
func readCounts(name string) (c *fuzzCounts, text []byte, err error) {
	text, err = os.ReadFile(name)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, nil, nil
	case err != nil:
		return nil, nil, err
	}
	if c, err = parseCounts(text); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	return c, text, nil
}

// parseCounts returns the counts of a file with that text.
func parseCounts(text []byte) (*fuzzCounts, error) {
	c := new(fuzzCounts)
	decoder := json.NewDecoder(bytes.NewReader(text))
	if err := decoder.Decode(c); err != nil || c.Format != countsFormat {
		return nil, fmt.Errorf("not a file of counts of sator-lab fuzz: want the format %q", countsFormat)
	}
	if !bytes.Equal(c.marshal(), text) {
		return nil, errors.New("the file of counts is damaged: its checksum does not match")
	}
	return c, nil
}

// resume reads the file of counts, if it exists, and continues it: flags that were not
// given have the values in the file, and the seed is the next one. It returns an error if
// a given flag contradicts the file.
func (o *fuzzOptions) resume(given func(flag string) bool) error {
	c, text, err := readCounts(o.counts)
	if err != nil || c == nil {
		return err
	}
	for _, f := range []struct {
		name        string
		value, want uint64
	}{
		{"seed", o.seed, c.FirstSeed},
		{"vars", uint64(o.vars), uint64(c.Vars)},
		{"traces", uint64(o.traces), uint64(c.Traces)},
	} {
		if given(f.name) && f.value != f.want {
			return cli.Invalid(f.name, f.value, "%d, as in %s", f.want, o.counts)
		}
	}
	o.seed, o.vars, o.traces = c.NextSeed, c.Vars, c.Traces
	o.before, o.beforeText = c, text
	return nil
}

// A countsFile writes counts to a file from time to time.
type countsFile struct {
	name    string // empty for no file
	disk    *file.Disk
	written []byte // the content; nil if there is no file yet
	at      time.Time
}

// due reports whether countsInterval has passed since the last write.
func (f *countsFile) due(now time.Time) bool { return f.name != "" && now.Sub(f.at) >= countsInterval }

// write replaces the file, unless another program has changed it since the last write:
// two runs would count the same seeds.
func (f *countsFile) write(c *fuzzCounts, now time.Time) error {
	if f.name == "" {
		return nil
	}
	present, err := os.ReadFile(f.name)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if !bytes.Equal(present, f.written) {
		return fmt.Errorf("%s: another program has changed the file during this run", f.name)
	}
	text := c.marshal()
	if err := f.disk.WriteFile(f.name, text); err != nil {
		return err
	}
	f.written, f.at = text, now
	return nil
}
