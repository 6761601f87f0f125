package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"sator/dimacs"
	"sator/dimacs/proof"
)

// What check is given as evidence may be of many kinds, and its content tells
// which: solutions by their letters and words, proofs by what proof.Sniff knows.
// A list of literals with a single 0 looks like both, and is tried as both.

// Kinds of evidence.
type claimKind int

const (
	claimUnknown claimKind = iota
	claimSolution
	claimList // literals and one 0
	claimProof
)

// A claim is what the evidence is, or is said to be.
type claim struct {
	kind   claimKind
	format proof.Format // of a proof
	either bool         // text or binary, as the content tells
}

// claims is the one table of what --format can name.
var claims = []struct {
	name string
	claim
}{
	{"drat", claim{claimProof, proof.DRAT, true}},
	{"drat-text", claim{claimProof, proof.DRAT, false}},
	{"drat-binary", claim{claimProof, proof.BinaryDRAT, false}},
	{"lrat", claim{claimProof, proof.LRAT, true}},
	{"lrat-text", claim{claimProof, proof.LRAT, false}},
	{"lrat-binary", claim{claimProof, proof.BinaryLRAT, false}},
	{"solution", claim{claimSolution, proof.FormatUnknown, false}},
}

func claimNames() string {
	var names []string
	for _, c := range claims {
		names = append(names, c.name)
	}
	return strings.Join(names, ", ")
}

// findClaim returns the claim of that name; no name, no claim.
func findClaim(name string) (claim, error) {
	if name == "" {
		return claim{}, nil
	}
	for _, c := range claims {
		if c.name == name {
			return c.claim, nil
		}
	}
	return claim{}, usagef("--format %q is no format; there are %s", name, claimNames())
}

// An exhibit is evidence that is open, with what it is.
type exhibit struct {
	claim
	src   *stream   // nil once it is read
	whole io.Reader // what src holds
}

func (x *exhibit) close() {
	if x.src != nil {
		x.src.Close()
	}
}

// open opens the evidence and sees what it is.
func (k *checking) open(ctx context.Context) (*exhibit, error) {
	return await(ctx, func() (*exhibit, error) {
		src, err := k.e.open(ctx, k.o.evidence)
		if err != nil {
			return nil, err
		}
		x := &exhibit{k.o.claimed, src, src}
		if err := x.recognize(shown(k.o.evidence)); err != nil {
			return nil, err
		}
		return x, nil
	})
}

// recognize completes what is claimed by what the content tells.
func (x *exhibit) recognize(name string) (err error) {
	if x.kind == claimUnknown {
		var kind dimacs.Kind
		if kind, x.whole, err = dimacs.Sniff(x.whole); err != nil {
			return err
		}
		switch kind {
		case dimacs.KindSolution:
			x.kind = claimSolution
			return nil
		case dimacs.KindCNF, dimacs.KindScript:
			return fmt.Errorf("%s: this is a formula, neither a solution nor a proof", name)
		case dimacs.KindReconstruction:
			return fmt.Errorf("%s: this is a stack of sator simplify, neither a solution nor a proof", name)
		}
	}
	if x.kind == claimSolution || x.kind == claimProof && !x.either {
		return nil
	}
	format, whole, err := proof.Sniff(x.whole)
	if err != nil {
		return err
	}
	x.whole = whole
	switch {
	case x.kind == claimUnknown:
		x.kind, x.format = claimProof, format
	case x.format == proof.DRAT && format.Binary():
		x.format = proof.BinaryDRAT
	case x.format == proof.LRAT && format.Binary():
		x.format = proof.BinaryLRAT
	}
	if !x.either && x.format == proof.DRAT {
		x.kind = x.lookAhead(name)
	}
	return nil
}

// lookAhead tells what a text is that may be DRAT. What is nonsense from the
// beginning is for the reader of solutions to complain of, which forgives some
// of it when it is relaxed.
func (x *exhibit) lookAhead(name string) claimKind {
	var read bytes.Buffer
	src := x.whole
	r := proof.NewReader(io.TeeReader(src, &read), name, proof.DRAT)
	defer func() { x.whole = io.MultiReader(&read, src) }()
	first, err := r.Next()
	switch {
	case err == io.EOF:
		return claimProof
	case err != nil:
		return claimSolution
	case first.Delete || len(first.Lits) == 0:
		return claimProof
	}
	if _, err := r.Next(); err != io.EOF {
		return claimProof
	}
	return claimList
}

// sound returns err, or what is wrong with the archive that it may come from:
// nonsense is often no more than damage that is found out later.
func (x *exhibit) sound(err error) error {
	var (
		syntax   *dimacs.SyntaxError
		checkErr *proof.CheckError
	)
	if x.src != nil && (errors.As(err, &syntax) || errors.As(err, &checkErr)) {
		return cmp.Or(x.src.Drain(), err)
	}
	return err
}
