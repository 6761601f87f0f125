package report

import "sator/cmd/internal/record"

// Trends are figures in the thirds of a run, by the time between its first and last sample. They
// are empty with few samples. The time is that of the processor if the process has this solver
// alone and the recording has it: a busy machine does not change it.
type Trends struct {
	Thirds []Third // three or zero
	Glue   *Step   // of the slow average; nil if it changed little
}

// A Third is a third of a run.
type Third struct {
	Conflicts, Propagations int64
	Seconds                 float64
	Kept                    int // learned clauses at its end
}

// A Step is a change of a figure from one level to another one.
type Step struct {
	From, To  float64 // means before and after
	Time      float64 // seconds since the start
	Reduction int     // number of reductions before it
}

// PerSecond returns the rate of conflicts; 0 if no time passed.
func (t Third) PerSecond() float64 {
	if t.Seconds <= 0 {
		return 0
	}
	return float64(t.Conflicts) / t.Seconds
}

// PerConflict returns the number of propagations that a conflict took; 0 without conflicts.
func (t Third) PerConflict() float64 {
	if t.Conflicts <= 0 {
		return 0
	}
	return float64(t.Propagations) / float64(t.Conflicts)
}

// A moment is a sample with the number of reductions before it.
type moment struct {
	*record.Sample
	reductions int
}

// fewSamples is the number of samples below which no trend is computed.
const fewSamples = 12

// trendsOf returns the trends of samples. Alone says that the process has no other solver.
func trendsOf(samples []moment, alone bool) Trends {
	if len(samples) < fewSamples {
		return Trends{}
	}
	last := samples[len(samples)-1]
	at := func(s moment) float64 { return s.Time }
	if alone && last.CPU > samples[0].CPU {
		at = func(s moment) float64 { return s.CPU }
	}
	begin, span := at(samples[0]), at(last)-at(samples[0])
	if span <= 0 {
		return Trends{}
	}
	thirds := make([]Third, 3)
	for i, s := range samples[1:] {
		before := samples[i]
		t := &thirds[min(2, int(3*(at(before)-begin)/span))]
		t.Conflicts += s.Conflicts - before.Conflicts
		t.Propagations += s.Propagations - before.Propagations
		t.Seconds += at(s) - at(before)
		t.Kept = s.Redundant
	}
	return Trends{Thirds: thirds, Glue: glueStep(samples)}
}

// leastStep is the ratio of two levels of glue that is worth a sentence.
const leastStep = 1.3

// glueStep returns the step that fits the average glue best: with the least sum of squared distances
// from the means before and after it. Averages of few conflicts say little.
func glueStep(samples []moment) *Step {
	for len(samples) > 0 && samples[0].Conflicts < leastConflicts {
		samples = samples[1:]
	}
	glue, sum := make([]float64, len(samples)), 0.0
	for i, s := range samples {
		if glue[i] = s.Focused.Glue; glue[i] == 0 {
			glue[i] = s.Stable.Glue
		}
		sum += glue[i]
	}
	var best *Step
	gain, before := 0.0, 0.0
	for i := range max(0, len(samples)-1) {
		before += glue[i]
		from, to := before/float64(i+1), (sum-before)/float64(len(samples)-i-1)
		if g := (to - from) * (to - from) * float64(i+1) * float64(len(samples)-i-1); g > gain {
			gain, best = g, &Step{from, to, samples[i+1].Time, samples[i+1].reductions}
		}
	}
	if best == nil || len(samples) < fewSamples || best.From <= 0 || best.To < leastStep*best.From && best.From < leastStep*best.To {
		return nil
	}
	return best
}
