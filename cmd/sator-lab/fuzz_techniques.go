package main

import (
	"sator/dpll/cdcl"
	"sator/dpll/portfolio"
)

// fuzzTechniques are the counted techniques of the engine cdcl: each pass of the table of
// passes, and techniques of the search. The number of rounds with a success is reported
// for each, so that a technique without success is noticed. A reporting engine numbers them from bit 0 on.
var fuzzTechniques = []struct {
	name  string
	found func(*cdcl.Stats) int64
}{
	{"symmetry", func(s *cdcl.Stats) int64 { return s.Symmetries }},
	{"xor", func(s *cdcl.Stats) int64 { return s.XORSums + s.XOREquivalences + s.XORUnits }},
	{"cardinality", func(s *cdcl.Stats) int64 { return s.Pigeonholes }},
	{"congruence", func(s *cdcl.Stats) int64 { return s.CongruenceMerged + s.CongruenceUnits }},
	{"substitute", func(s *cdcl.Stats) int64 { return s.Substituted }},
	{"probe", func(s *cdcl.Stats) int64 { return s.FailedLits }},
	{"sweep", func(s *cdcl.Stats) int64 { return s.SweepEquivalences + s.SweepUnits }},
	{"transitive", func(s *cdcl.Stats) int64 { return s.Transitive + s.TransitiveUnits }},
	{"subsume", func(s *cdcl.Stats) int64 { return s.Subsumed + s.Strengthened }},
	{"eliminate", func(s *cdcl.Stats) int64 { return s.Eliminated }},
	{"vivify", func(s *cdcl.Stats) int64 { return s.VivifyShortened + s.VivifyImplied + s.VivifySubsumed }},
	{"factor", func(s *cdcl.Stats) int64 { return s.Factored }},

	{"gates", func(s *cdcl.Stats) int64 { return s.Gates }},
	{"definitions", func(s *cdcl.Stats) int64 { return s.Definitions }},
	{"duplicate binaries", func(s *cdcl.Stats) int64 { return s.DuplicateBinaries }},
	{"restored", func(s *cdcl.Stats) int64 { return s.Restored }},
	{"chronological", func(s *cdcl.Stats) int64 { return s.Chronological }},
	{"reduce", func(s *cdcl.Stats) int64 { return s.ReducedClauses }},
	{"collect", func(s *cdcl.Stats) int64 { return s.Collections }},
	{"restart", func(s *cdcl.Stats) int64 { return s.Restarts }},
	{"mode switch", func(s *cdcl.Stats) int64 { return s.ModeSwitches }},
	{"random burst", func(s *cdcl.Stats) int64 { return s.Bursts }},
	{"look-ahead", func(s *cdcl.Stats) int64 { return s.LookAheads }},
	{"lucky", func(s *cdcl.Stats) int64 { return s.Lucky }},
	{"walk", func(s *cdcl.Stats) int64 { return s.WalksImproved }},
	{"import", func(s *cdcl.Stats) int64 { return s.Imported }},
}

// succeeded returns the techniques that found something, as bits.
func succeeded(stats ...cdcl.Stats) (bits uint64) {
	for i := range stats {
		for bit, technique := range fuzzTechniques {
			if technique.found(&stats[i]) > 0 {
				bits |= 1 << bit
			}
		}
	}
	return bits
}

// Succeeded implements dplltest.Reporter.
func (t traced) Succeeded() uint64 { return succeeded(t.Stats()) }

// A reportingRace is a race that reports its techniques.
type reportingRace struct{ *portfolio.Race }

// Succeeded implements dplltest.Reporter.
func (r reportingRace) Succeeded() uint64 { return succeeded(r.Stats()...) }
