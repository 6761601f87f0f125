package answer

import (
	"sator/cmd/internal/engines"
	"sator/internal/record"
)

// Recorded returns what the first line of a recording says about the run.
func (r *Report) Recorded() engines.RecordedRun {
	o := r.Options
	return engines.RecordedRun{
		Files:  o.Files,
		Engine: o.Chosen.Name,
		Why:    o.Chosen.Why,
		Seed:   o.Seed,
		Setup:  o.Setup,
		Others: r.commonOptions(),
	}
}

// Recorded returns the last line of a recording, without what [engines.RecordFile.End] sets.
// The proof must be complete.
func (got *Result) Recorded() record.End {
	l := record.End{Status: got.Status.String(), Reason: got.Reason}
	if p := got.Proof; p != nil {
		l.Proof = &record.ProofSize{Bytes: p.Bytes, Format: p.Format.String()}
	}
	return l
}
