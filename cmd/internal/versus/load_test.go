package versus

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestParseLoadAverage(t *testing.T) {
	for text, want := range map[string]float64{"0.20 0.18 0.12 1/80 11206\n": 0.2, "15.18": 15.18, "": -1, "x 1 2": -1, "-1 0 0": -1} {
		load, known := parseLoadAverage([]byte(text))
		if known != (want >= 0) || known && load != want {
			t.Errorf("%q: %v, %v; want %v", text, load, known, want)
		}
	}
}

func TestParseBusyTime(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"cpu  100 20 3 4000 500 6 7 8 90 10\ncpu0 1 1 1 1 1 1 1 1 0 0\n": 144 * tick, // all but idle, iowait and guest
		"cpu 1 0 0 0 0 0 0 0":  tick,
		"cpu 1 0 0 0":          0,
		"cpu0 1 0 0 0 0 0 0 0": 0,
		"cpu 1 x 0 0 0 0 0 0":  0,
		"":                     0,
	} {
		busy, known := parseBusyTime([]byte(text))
		if known != (want > 0) || known && busy != want {
			t.Errorf("%q: %v, %v; want %v", text, busy, known, want)
		}
	}
}

func TestOtherCores(t *testing.T) {
	for _, x := range []struct {
		busy, cpu, wall time.Duration
		want            float64
	}{
		{3 * time.Second, time.Second, 2 * time.Second, 1},
		{time.Second, 2 * time.Second, 2 * time.Second, 0}, // the counts of the system are approximate
		{1234 * time.Millisecond, 0, time.Second, 1.23},
		{time.Second, 0, time.Millisecond, unknownLoad},
	} {
		if got := otherCores(x.busy, x.cpu, x.wall); got != x.want {
			t.Errorf("%v: got %v", x, got)
		}
	}
}

// A log of an earlier version is read without the later columns, and gets lines of its own width.
func TestLogOfFirstColumns(t *testing.T) {
	for _, width := range widths[1:] {
		name := filepath.Join(t.TempDir(), "runs.csv")
		old := Run{Solver: "s", File: "f", Round: 1, Outcome: Failed, Command: "c", Family: "lost", Others: 0.5, Conflicts: 6, Ticks: 7}
		text := headerOf(width) + strings.Join(old.fields()[:width], ",") + "\n"
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		l := openLog(t, name)
		second := old
		second.Round = 2
		if err := l.Append(second); err != nil {
			t.Fatal(err)
		}
		old.Conflicts, old.Ticks = 0, 0
		if width == 15 {
			old.Family, old.Others = "", unknownLoad
		}
		want := []Run{old, old}
		want[1].Round = 2
		if got, _, err := ReadLog(name); err != nil || !slices.Equal(got, want) {
			t.Errorf("%+v, error %v", got, err)
		}
	}
}
