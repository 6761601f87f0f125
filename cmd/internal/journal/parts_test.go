package journal

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"sator/dimacs"
	"sator/dpll/portfolio"
)

// TestParts changes each part of a directory, with checksums that are right afterwards, as no
// damage by accident has them. Each change makes other results, a report of damage or an error:
// no part is skipped in silence.
func TestParts(t *testing.T) {
	id := Identity{"f", "c", "LRAT"}
	const steps = "0123456789"
	position := func(bytes, last int64) *portfolio.ProofPosition {
		sum := sha256.Sum256([]byte(steps[:bytes]))
		return &portfolio.ProofPosition{Bytes: bytes, Last: last, Sum: checksum(sum[:len(checksum{})]).String()}
	}
	values := []any{
		header{headerName, version, id},
		&portfolio.Result{Formula: "f", Cube: literals(1, -4), Status: dimacs.Unsatisfiable, Failed: literals(-4), Conflicts: 5, Seconds: 0.5, Clause: 7, Proof: position(4, 73)},
		&portfolio.Result{Formula: "f", Cube: literals(2), Status: dimacs.Satisfiable, Model: literals(1, 2, 3), Split: literals(3), Conflicts: 6, Seconds: 1.5, Clause: 8, Proof: position(10, 99)},
	}
	var texts []string
	for _, v := range values {
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	dir := t.TempDir()
	// open returns what opening a directory with these lines and this proof gives.
	open := func(texts []string, proof string) (results []portfolio.Result, damage, err error) {
		var lines []byte
		sum := checksum{}
		for _, text := range texts {
			sum = sum.next([]byte(text))
			lines = fmt.Appendf(lines, "%v %s\n", sum, text)
		}
		for name, content := range map[string]string{resultsName: string(lines), proofName: proof} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		j, err := Open(context.Background(), nil, dir, id)
		if err != nil {
			return nil, nil, err
		}
		return j.Results(), j.Damage(), j.Close()
	}
	want, damage, err := open(texts, steps)
	if len(want) != 2 || damage != nil || err != nil {
		t.Fatalf("%v, %v, %v", want, damage, err)
	}
	check := func(part string, texts []string, proof string) {
		t.Helper()
		if got, damage, err := open(texts, proof); err == nil && damage == nil && reflect.DeepEqual(got, want) {
			t.Errorf("%s: the change has no effect in\n%s", part, strings.Join(texts, "\n"))
		}
	}
	rows := 0
	for i, text := range texts {
		line := func(part, text string) {
			changed := append(append([]string{}, texts[:i]...), text)
			rows++
			check(fmt.Sprintf("line %d, %s", i+1, part), append(changed, texts[i+1:]...), steps)
		}
		line("text behind the value", text+" {}")
		line("array", "["+text+"]")
		for _, m := range regexp.MustCompile(`"([a-z]+)":\[?(.)`).FindAllStringSubmatchIndex(text, -1) {
			name := text[m[2]:m[3]]
			line("name of "+name, text[:m[2]]+"other"+text[m[3]:])
			line("member before "+name, text[:m[0]]+`"more":1,`+text[m[0]:])
			switch text[m[4]] {
			case '"':
				line(name, text[:m[5]]+"z"+text[m[5]:])
			case '-':
				line(name, text[:m[4]]+text[m[5]:])
			case '{':
			default:
				line(name, text[:m[4]]+"1"+text[m[4]:])
			}
		}
	}
	if rows < 80 {
		t.Errorf("only %d rows", rows)
	}
	check("first line", texts[1:], steps)
	check("first result", []string{texts[0], texts[2]}, steps)
	check("last result", texts[:2], steps)
	check("order", []string{texts[0], texts[2], texts[1]}, steps)
	check("result twice", []string{texts[0], texts[1], texts[1], texts[2]}, steps)
	check("proof", texts, "0x23456789")
	check("end of the proof", texts, steps[:9])
}

func literals(ints ...int) portfolio.Literals {
	var ls portfolio.Literals
	for _, n := range ints {
		ls = append(ls, dimacs.FromInt(n))
	}
	return ls
}
