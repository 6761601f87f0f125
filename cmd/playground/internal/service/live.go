package service

import (
	"bytes"
	"encoding/json"
	"runtime"
	"time"

	"sator/cmd/internal/record"
	"sator/dimacs"
	"sator/dpll/cdcl"
)

// A liveRecording sends the recording of a run to the page while the run goes on, some
// lines at a time.
type liveRecording struct {
	call  *Call
	start time.Time
	*record.Recorder

	lines []json.RawMessage // not sent yet
	sent  time.Time
}

// sampleTicks is the number of ticks between samples: about 40 samples in a second of search
// in a browser, where a chart is watched.
const sampleTicks = 250_000

// newRecording starts the recording of a run of a solver with these options, into which it
// sets callbacks.
func newRecording(c *Call, in *SolveRequest, f *dimacs.Formula, options *cdcl.Options) *liveRecording {
	l := &liveRecording{call: c, start: time.Now()}
	l.Recorder = record.NewRecorder(l, record.Meter{Now: l.now, Read: l.usage})
	options.SampleTicks = sampleTicks
	l.Attach(options, 0)
	l.Run(&record.Run{
		Command: []string{"playground"},
		Start:   l.start.Format(time.RFC3339),
		Machine: record.Machine{OS: runtime.GOOS, Arch: runtime.GOARCH, CPUs: 1, Memory: memoryLimit, Go: runtime.Version()},
		Files:   []string{}, Engine: "cdcl", Solvers: []string{"default"}, SampleTicks: sampleTicks,
		Options: changed(options), Seed: in.Seed, Counters: map[string]string{},
	})
	l.Formula(record.Describe(f))
	return l
}

// changed returns the knobs that differ from their defaults.
func changed(options *cdcl.Options) map[string]any {
	all := map[string]any{}
	for _, k := range cdcl.Knobs {
		if value := k.Get(options); value != k.Default {
			all[k.Name] = value
		}
	}
	return all
}

func (l *liveRecording) now() time.Duration { return time.Since(l.start) }

// usage returns the resources of a program with one thread: its processor time is not
// known, and the time of the run is a bound.
func (l *liveRecording) usage() record.Usage {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return record.Usage{CPU: l.now(), Heap: int64(m.HeapAlloc)}
}

// Write receives a line.
func (l *liveRecording) Write(line []byte) (int, error) {
	l.lines = append(l.lines, bytes.Clone(line))
	if time.Since(l.sent) >= progressInterval {
		l.flush()
	}
	return len(line), nil
}

// flush sends the lines, if there are any.
func (l *liveRecording) flush() {
	if len(l.lines) == 0 {
		return
	}
	l.call.Progress(l.lines)
	l.lines, l.sent = nil, time.Now()
}

// finish writes and sends the last line.
func (l *liveRecording) finish(run *solved, reason string, s *cdcl.Solver) {
	stats := s.Stats()
	end := &record.End{Status: run.status.String(), Reason: reason, Stats: []map[string]any{record.Stats(&stats)}}
	if run.proof != nil {
		end.Proof = &record.ProofSize{Bytes: run.proof.size, Format: run.proof.format.String()}
	}
	l.End(end)
	l.flush()
}
