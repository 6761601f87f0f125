package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/engines"
	"sator/dpll/classic"
	"sator/internal/dplltest"
)

// report saves a failure and returns the report on it.
func (h *fuzzRun) report(r *dplltest.Round) string {
	seed := h.o.seed + h.rounds - 1
	repeat := h.o.repeat(seed)
	var name, text, msg string
	switch {
	case r.Failure != nil:
		name = filepath.Join(h.o.out, fmt.Sprintf("fuzz-%d.cnf", seed))
		text = comment("c", repeat, settingsOf(r.Failure)+solveLine(name, r.Failure), r.Failure.Err.Error()) + r.Failure.Case.String()
		msg = fmt.Sprintf("engine %s, %v", r.Subject, r.Failure)
	case r.Trace != nil:
		name = filepath.Join(h.o.out, fmt.Sprintf("fuzz-%d.trace", seed))
		text = comment("#", repeat, "engine "+r.Subject, r.Err.Error()) + r.Trace.String()
		msg = fmt.Sprintf("engine %s, seed %d: %v\nshrunk to:\n%v", r.Subject, seed, r.Err, r.Trace)
	default:
		return fmt.Sprintf("seed %d: %v\nrepeat: %s", seed, r.Err, repeat)
	}
	saved := "saved: " + name
	if err := h.save(name, text); err != nil {
		saved = "not saved: " + err.Error()
		if h.saveErr == nil {
			h.saveErr = err
		}
	}
	return fmt.Sprintf("%s%s\nrepeat: %s", msg, saved, repeat)
}

// comment returns texts as comment lines.
func comment(mark string, texts ...string) string {
	var b strings.Builder
	for line := range strings.Lines(strings.Join(texts, "\n")) {
		fmt.Fprintf(&b, "%s %s\n", mark, strings.TrimRight(line, "\n"))
	}
	return b.String()
}

// settingsOf returns the violated property and the setup of the engine.
func settingsOf(f *dplltest.Failure) string {
	text := fmt.Sprintf("property %q, engine %s, proof %v, seed %d", f.Property, f.Subject, f.Proof, f.Setup.Seed)
	for _, s := range f.Setup.Settings {
		text += fmt.Sprintf("\noption %s %d", s.Name, s.Value)
	}
	return text
}

// solveLine returns a sator command close to the failed round: it solves once,
// while the property may make several calls.
func solveLine(name string, f *dplltest.Failure) string {
	words := []string{"\nsator solve", name, "--engine=" + strings.TrimSuffix(f.Subject, "-once"), "--verify"}
	if f.Setup.Seed != 0 {
		words = append(words, fmt.Sprintf("--seed=%d", f.Setup.Seed))
	}
	if f.Subject == "dpll" {
		words = append(words, classicWords(f.Setup)...)
	} else {
		for _, s := range f.Setup.Settings {
			if s.Name != simplifyFirst {
				words = append(words, engines.KnobArgument(s.Name, s.Value))
			}
		}
	}
	if len(f.Case.Assumptions) > 0 {
		words = append(words, fmt.Sprintf("--assume %q", cli.Spaced(f.Case.Assumptions)))
	}
	return strings.Join(words, " ")
}

// classicWords returns the flags for the options of the engine dpll.
func classicWords(setup dplltest.Setup) (words []string) {
	o, usual := classicOptions(setup), classic.DefaultOptions()
	if o.Heuristic != usual.Heuristic {
		words = append(words, "--heuristic="+o.Heuristic)
	}
	if o.MomK != usual.MomK && o.Heuristic == "mom" {
		words = append(words, fmt.Sprintf("--mom-k=%d", o.MomK))
	}
	if o.Pure != usual.Pure {
		words = append(words, "--pure="+o.Pure.String())
	}
	return words
}

// save writes a file, and creates its directory if necessary.
func (h *fuzzRun) save(name, text string) error {
	if err := h.Disk.MkdirAll(filepath.Dir(name)); err != nil {
		return err
	}
	return h.Disk.WriteFile(name, []byte(text))
}
