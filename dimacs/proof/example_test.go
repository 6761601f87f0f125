package proof_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"sator/dimacs"
	"sator/dimacs/proof"
)

func ExampleCheck() {
	f := new(dimacs.Formula)
	f.AddInts(1, 2)
	f.AddInts(-1, 2)
	f.AddInts(1, -2)
	f.AddInts(-1, -2)
	f.AddInts(1, 2, 3)
	for _, in := range []string{"2 0\nd 1 2 0\n0\n", "6 2 0 1 2 0\n7 0 6 3 4 0\n", "6 2 0 1 3 0\n", "2 x 0\n"} {
		result, err := proof.Check(context.Background(), f, strings.NewReader(in), proof.Options{Name: "p", Trim: true})
		var wrong *proof.CheckError
		switch {
		case err == nil:
			fmt.Println(result.Format, "verified, core", result.Core())
		case errors.As(err, &wrong):
			fmt.Println("not verified, for the step in line", wrong.Place)
		default:
			fmt.Println("unreadable:", err)
		}
	}
	// Output:
	// DRAT verified, core [0 1 2 3]
	// LRAT verified, core [0 1 2 3]
	// not verified, for the step in line 1
	// unreadable: p:1:3: "x" is not a number
}

func ExampleWriter() {
	lits := dimacs.Lits
	for _, format := range []proof.Format{proof.DRAT, proof.LRAT, proof.BinaryDRAT, proof.BinaryLRAT} {
		var out bytes.Buffer
		w := proof.NewWriter(&out, format, 4)
		a := w.Original(lits(1, 2))
		b := w.Original(lits(-1, 2))
		c := w.Original(lits(1, -2))
		d := w.Original(lits(-1, -2))
		e := w.Learn(lits(2), []int64{a, b})
		w.Delete(a, lits(1, 2))
		w.Delete(b, lits(-1, 2))
		w.Learn(nil, []int64{e, c, d})
		if err := w.Flush(); err != nil {
			fmt.Println(err)
		}
		if format.Binary() {
			fmt.Printf("%v: % x\n", format, &out)
		} else {
			fmt.Printf("%v:\n%s", format, &out)
		}
	}
	// Output:
	// DRAT:
	// 2 0
	// d 1 2 0
	// d -1 2 0
	// 0
	// LRAT:
	// 5 2 0 1 2 0
	// 5 d 1 2 0
	// 6 0 5 3 4 0
	// binary DRAT: 61 04 00 64 02 04 00 64 03 04 00 61 00
	// binary LRAT: 61 0a 04 00 02 04 00 64 02 04 00 61 0c 00 0a 06 08 00
}

func ExampleReader() {
	r := proof.NewReader(strings.NewReader("5 2 0 1 2 0\n5 d 1 2 0\n6 0 5 3 4\n"), "p.lrat", proof.LRAT)
	for {
		s, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			fmt.Println(err)
			break
		}
		if s.Delete {
			fmt.Println("line", s.Place, "deletes", s.Hints)
		} else {
			fmt.Println("line", s.Place, "adds", s.ID, s.Lits, "by", s.Hints)
		}
	}
	// Output:
	// line 1 adds 5 [2] by [1 2]
	// line 2 deletes [1 2]
	// p.lrat:3:10: the line ends before its step is ended by 0
}

func ExampleSniff() {
	for _, in := range []string{"2 0\n0\n", "5 2 0 1 2 0\n", "a\x04\x00a\x00", "a\x0a\x04\x00\x02\x04\x00"} {
		format, r, err := proof.Sniff(strings.NewReader(in))
		if err != nil {
			fmt.Println(err)
			continue
		}
		s, err := proof.NewReader(r, "", format).Next() // r reads the whole proof
		fmt.Println(format, s.Lits, err)
	}
	// Output:
	// DRAT [2] <nil>
	// LRAT [2] <nil>
	// binary DRAT [2] <nil>
	// binary LRAT [2] <nil>
}

func ExampleSniffEvidence() {
	for _, in := range []string{"s SATISFIABLE\nv 1 -2 0\n", "1 -2 0\n", "1 0\n0\n", "a\x02\x00a\x00", "p cnf 1 0\n"} {
		evidence, _, err := proof.SniffEvidence(strings.NewReader(in), "input", proof.Evidence{})
		switch {
		case err != nil:
			fmt.Println(err)
		case evidence.Kind == proof.KindProof:
			fmt.Println(evidence.Kind, "in", evidence.Format)
		default:
			fmt.Println(evidence.Kind)
		}
	}
	// Output:
	// solution
	// list of literals
	// proof in DRAT
	// proof in binary DRAT
	// input: this is a formula, neither a solution nor a proof
}
