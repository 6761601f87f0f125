package commands

import (
	"testing"

	"sator/cmd/internal/clitest"
	"sator/internal/effort"
	"sator/internal/families"
)

// writers are the commands of sator that write.
func writers(whole bool) *clitest.Writers {
	w := &clitest.Writers{
		Whole:   whole,
		Program: Program,
		Files: map[string]string{
			"sat.cnf": "p cnf 6 5\n1 2 3 0\n-1 -2 4 0\n2 -3 5 0\n-4 -5 6 0\n1 -5 -6 0\n",
			"two.cnf": "p cnf 3 4\n1 2 0\n-1 3 0\n-2 3 0\n-3 1 0\n",
			"no.cnf":  "p cnf 2 4\n1 2 0\n1 -2 0\n-1 2 0\n-1 -2 0\n",
		},
		Prepare: []string{
			"generate php --holes 3 -o in/php.cnf",
			"generate php --holes 6 -o in/big.cnf",
			"generate php --holes 4 -o in/more.cnf",
			"cube in/more.cnf --cubes 4 --no-simplify -o in/php.icnf",
			"solve in/php.cnf --engine cdcl --cardinality 0 --proof in/php.drat",
			"solve in/sat.cnf -o in/answer",
			"simplify in/sat.cnf -o in/simple.cnf --stack in/stack",
			"solve in/simple.cnf -o in/simple.answer",
			"sudoku generate --variant 4 --seed 1 -o in/four.txt",
			"sudoku encode in/four.txt -o in/four.cnf",
			"solve in/four.cnf -o in/four.model",
		},
		Rows: []clitest.Writer{
			{Code: 20, Line: "solve in/php.cnf"},
			{Code: 20, Line: "solve in/php.cnf --json -v"},
			{Code: 10, Line: "solve in/sat.cnf --stats"},
			{Code: 20, Line: "solve in/php.cnf -o out"},
			{Code: 10, Line: "solve in/sat.cnf --json -o out.gz"},
			{Code: 20, Line: "solve in/php.cnf --proof proof"},
			{Code: 20, Line: "solve in/php.cnf --proof proof -o out --verify"},
			{Code: 20, Line: "solve in/php.cnf --proof proof --proof-text"},
			{Code: 20, Line: "solve in/php.cnf --proof proof.gz --proof-format lrat"},
			{Code: 20, Line: "solve in/php.cnf --proof proof.xz --proof-format lrat --proof-text --verify"},
			{Code: 20, Line: "solve in/php.cnf --proof - -o out"},
			{Code: 10, Line: "solve in/sat.cnf --engine cdcl --proof proof.zst"},
			{Code: 20, Line: "solve in/big.cnf --cardinality 0 --proof proof"}, // fails while it searches
			{Code: 20, Line: "solve in/big.cnf --cardinality 0 --proof proof.xz --threads 2 --deterministic"},
			{Code: 20, Line: "solve in/php.cnf proof.drat", Old: "d 1 0\n"},
			{Code: 20, Line: "solve in/php.icnf --proof proof"},
			{Code: 20, Line: "solve in/no.cnf --engine twosat --proof proof"},
			{Code: 20, Line: "solve in/php.cnf --engine dpll --proof proof --verify"},
			{Code: 0, Line: "trace in/sat.cnf -f json -o trace.gz"},
			{Code: 20, Line: "solve in/php.cnf --threads 2 --deterministic --proof proof"},
			{Code: 10, Line: "solve in/sat.cnf --threads 2 --deterministic --proof proof -o out"},
			{Code: 0, Line: "solve in/php.cnf --conflicts 1 --cardinality 0 --proof proof -o out"},
			{Code: 20, Line: "solve in/php.cnf --record run.jsonl"},
			{Code: 20, Line: "solve in/php.cnf --record - -o out"},
			{Code: 20, Line: "solve in/big.cnf --cardinality 0 --record run.gz --threads 2 --deterministic --proof proof"},
			{Code: 0, Line: "solve in/php.cnf --conflicts 1 --cardinality 0 --record run.gz -o out"},
			{Code: 10, Line: "solve in/sat.cnf --engine dpll --record run.jsonl"},
			{Code: 10, Line: "solve in/sat.cnf --profile cpu --profile-dir new/dir", Lost: "is incomplete"},
			{Code: 10, Line: "solve in/sat.cnf --profile heap", Lost: "is incomplete"},
			{Code: 10, Line: "solve in/sat.cnf --profile mutex", Lost: "is incomplete"},
			{Code: 10, Line: "solve in/sat.cnf --profile trace", Lost: "is incomplete"},
			{Code: 10, Line: "enumerate in/two.cnf"},
			{Code: 10, Line: "enumerate in/two.cnf --json -o out"},
			{Code: 10, Line: "count in/two.cnf"},
			{Code: 10, Line: "count in/two.cnf --json -o out --ddnnf f.nnf --proof proof"},
			{Code: 10, Line: "backbone in/sat.cnf --verify"},
			{Code: 10, Line: "backbone in/two.cnf --json -o out"},
			{Code: 20, Line: "mus in/no.cnf --core core.cnf --verify -o out"},
			{Code: 20, Line: "mus in/no.cnf --json --all"},
			{Code: 30, Line: "maxsat in/no.cnf --verify"},
			{Code: 30, Line: "maxsat in/two.cnf --json -o out"},
			{Code: 0, Line: "check in/php.cnf in/php.drat"},
			{Code: 0, Line: "check in/php.cnf in/php.drat -o out --core core.cnf --trim trim --lrat lrat.gz"},
			{Code: 0, Line: "check in/php.cnf in/php.drat --core - -o out --proof-text --lrat lrat"},
			{Code: 0, Line: "check in/sat.cnf in/answer -o out"},
			{Code: 0, Line: "check in/php.cnf in/php.drat --draw proof.svg"},
			{Code: 0, Line: "trace in/php.cnf --engine cdcl --limit 1000 -f json -o steps"},
			{Code: 0, Line: "trace in/php.cnf"},
			{Code: 0, Line: "trace in/sat.cnf --format svg -o tree.svg"},
			{Code: 0, Line: "sudoku animate in/four.txt --max-frames 10 -o four.svg"},
			{Code: 0, Line: "sudoku animate in/four.txt --max-frames 10 -o four.gif --cell 8"},
			{Code: 0, Line: "simplify in/sat.cnf"},
			{Code: 0, Line: "simplify in/php.cnf -o simple.cnf.gz --stack stack --proof proof"},
			{Code: 0, Line: "cube in/php.cnf"},
			{Code: 0, Line: "cube in/php.cnf -o cubes"},
			{Code: 20, Line: "conquer in/php.icnf -j 1 --cardinality 0"},
			{Code: 20, Line: "conquer in/php.icnf -j 1 --cardinality 0 -o out --proof proof --verify"},
			{Code: 20, Line: "conquer in/php.icnf -j 1 --cardinality 0 --run dir", Resume: true, Grows: []string{"dir/results"},
				Verify: "conquer in/php.icnf -j 1 --run dir"},
			{Code: 20, Line: "conquer in/php.icnf -j 1 --cardinality 0 --run dir --proof proof", Resume: true, Grows: []string{"dir/results", "dir/proof"},
				Verify: "check in/php.icnf proof"},
			{Code: 10, Line: "extend in/stack in/simple.answer"},
			{Code: 10, Line: "extend in/stack in/simple.answer -o out --formula in/sat.cnf"},
			{Code: 10, Line: "twosat in/two.cnf --forced"},
			{Code: 10, Line: "twosat in/two.cnf --format dot -o graph.dot"},
			{Code: 10, Line: "twosat in/two.cnf --json -o out"},
			{Code: 0, Line: "info in/sat.cnf"},
			{Code: 0, Line: "info in/sat.cnf --json"},
			{Code: 0, Line: "convert in/sat.cnf in/two.cnf"},
			{Code: 0, Line: "convert in/sat.cnf -o copy.xz"},
			{Code: 0, Line: "sudoku solve in/four.txt"},
			{Code: 0, Line: "sudoku solve in/four.txt -j 1 -o out"},
			{Code: 0, Line: "sudoku count in/four.txt"},
			{Code: 0, Line: "sudoku count in/four.txt -o out --cnf f.cnf --proof proof"},
			{Code: 0, Line: "sudoku check in/four.txt -q -o out --cnf f.cnf.gz --proof proof.gz"},
			{Code: 0, Line: "sudoku solve in/four.txt --profile cpu --profile-dir new/dir", Lost: "is incomplete"},
			{Code: 0, Line: "sudoku count in/four.txt --profile heap --profile-dir new/dir", Lost: "is incomplete"},
			{Code: 0, Line: "sudoku check in/four.txt --profile trace --profile-dir new/dir", Lost: "is incomplete"},
			{Code: 0, Line: "sudoku encode in/four.txt"},
			{Code: 0, Line: "sudoku encode in/four.txt -o four-%d.cnf"},
			{Code: 0, Line: "sudoku encode --explain in/four.txt -o out"},
			{Code: 0, Line: "sudoku encode in/four.txt --rules rules.cnf --givens givens.cnf"},
			{Code: 0, Line: "sudoku decode in/four.cnf in/four.model"},
			{Code: 0, Line: "sudoku decode in/four.cnf in/four.model -o out"},
			{Code: 0, Line: "sudoku render in/four.txt"},
			{Code: 0, Line: "sudoku render in/four.txt -o four.png"},
			{Code: 0, Line: "sudoku render in/four.txt --hint -o four.svg"},
			{Code: 0, Line: "sudoku convert in/four.txt"},
			{Code: 0, Line: "sudoku convert in/four.txt -o out"},
			{Code: 0, Line: "sudoku generate --variant 4 --seed 2"},
			{Code: 0, Line: "sudoku generate --variant 4 --seed 2 -o out"},
			{Code: 0, Line: "sudoku minimize in/four.txt"},
			{Code: 0, Line: "sudoku minimize in/four.txt -o out"},
			{Code: 0, Line: "sudoku rate in/four.txt"},
			{Code: 0, Line: "sudoku rate in/four.txt -o out"},
			{Code: 0, Line: "sudoku hint in/four.txt"},
			{Code: 0, Line: "sudoku hint in/four.txt --all"},
			{Code: 0, Line: "sudoku hint in/four.txt --all --json"},
			{Code: 0, Line: "sudoku hint in/four.txt -o out"},
			{Code: 0, Line: "sudoku why R1C1 in/four.txt"},
			{Code: 4, Line: "sudoku why R1C1=1 in/four.txt"},
			{Code: 4, Line: "sudoku why R1C1=1 in/four.txt --json -o out"},
			{Code: 0, Line: "sudoku why R1C1 in/four.txt -o out"},
			{Code: 0, Line: "help"},
			{Code: 0, Line: "help solve"},
			{Code: 0, Line: "version"},
			{Code: 0, Line: "completion bash"},
			{Code: 0, Line: "man"},
			{Code: 0, Line: "man solve"},
			{Code: 0, Line: "man -o dir", Resume: true},
		},
		Inputs: []string{"extend --formula", "sudoku decode --puzzle"},
	}
	for i, f := range families.Families {
		if !whole && i%8 != 0 {
			continue // all families are written by the same code
		}
		w.Rows = append(w.Rows, clitest.Writer{Line: "generate " + f.Name + " -o out.cnf"})
	}
	w.Part, w.Parts = effort.Part()
	return w
}

// TestWritersTable checks that the table has all commands and all flags with files.
func TestWritersTable(t *testing.T) {
	writers(true).TestFlags(t)
}

func TestWritersUnderFaults(t *testing.T)   { writers(effort.Whole()).TestFaults(t) }
func TestWritersWithFileSizes(t *testing.T) { writers(effort.Whole()).TestFileSizes(t) }
func TestWritersOnFullDisk(t *testing.T)    { writers(effort.Whole()).TestFullDisk(t) }
func TestWritersToPipes(t *testing.T)       { writers(effort.Whole()).TestPipes(t) }
