// Package commands has the commands of the program sator: [Program] is its command line.
//
// Rules: a command parses its flags, calls packages of the module, and prints. It has no
// algorithm of its own. Package cli defines what is printed where, the exit codes, and
// the syntax of command lines.
//
// Files:
//   - program: commands.go
//   - solve: solve.go (flags), solve_run.go
//   - models: enumerate.go, count.go, models.go (their common part)
//   - above the engine: backbone.go, mus.go, maxsat.go; analysis.go (the common part)
//   - evidence: check.go, check_evidence.go, check_model.go, check_proof.go
//   - simplification: simplify.go, extend.go
//   - cube and conquer: cube.go, conquer.go
//   - 2-SAT: twosat.go, twosat_answer.go
//   - formulas: info.go, convert.go, generate.go
//   - search trees: trace.go
package commands

import (
	"sator/cmd/internal/cli"
	"sator/cmd/internal/sudoku"
)

// Program is the command line of sator.
var Program = &cli.Program{
	Name:         "sator",
	Usage:        "SAT solver: decide whether a formula has a model",
	UsageText:    "sator COMMAND [flags] [FILE]...\nsator [flags] FILE...          short for sator solve",
	Description:  programDescription,
	Commands:     commands,
	Default:      "solve",
	HelpExamples: [2]string{"solve", "generate ksat"},
	Synonyms:     synonyms,
}

// synonyms lists words of users, other solvers and the literature for commands.
var synonyms = map[string]string{
	"sat": "solve", "run": "solve", "decide": "solve", "prove": "solve",
	"core": "mus", "unsat": "mus", "unsat-core": "mus", "muser": "mus", "minimize": "mus", "why": "mus", "explain": "mus",
	"verify": "check", "proof": "check", "drat-trim": "check", "validate": "check", "evaluate": "check",
	"models": "enumerate", "list": "enumerate", "all": "enumerate", "allsat": "enumerate", "all-sat": "enumerate",
	"solutions": "enumerate", "sharpsat": "count", "mc": "count",
	"optimize": "maxsat", "max-sat": "maxsat", "opt": "maxsat",
	"forced": "backbone", "fixed": "backbone", "implied": "backbone",
	"preprocess": "simplify", "reduce": "simplify", "reconstruct": "extend", "restore": "extend",
	"split": "cube", "cubes": "cube", "lookahead": "cube", "march": "cube", "parallel": "conquer",
	"stats": "info", "statistics": "info", "show": "info", "format": "convert", "compress": "convert", "shuffle": "convert",
	"2sat": "twosat", "2-sat": "twosat", "tree": "trace", "draw": "trace", "dpll": "trace",
	"gen": "generate", "random": "generate ksat", "3sat": "generate ksat", "3-sat": "generate ksat",
	"profile": "solve --profile", "proofs": "solve --proof",

	"generate 3sat": "generate ksat", "generate 3-sat": "generate ksat", "generate random": "generate ksat",
	"generate k-sat": "generate ksat", "generate rand": "generate ksat", "generate uf": "generate ksat",
	"generate 2-sat": "generate 2sat", "generate horn-sat": "generate horn", "generate xor": "generate kxor",
	"generate pigeon": "generate php", "generate pigeonhole": "generate php", "generate hole": "generate php",
	"generate factoring": "generate multiplier", "generate n-queens": "generate queens",
	"generate list": "help generate", "generate families": "help generate",

	"sudoku explain": "sudoku hint", "sudoku step": "sudoku hint", "sudoku grade": "sudoku rate",
	"sudoku difficulty": "sudoku rate", "sudoku draw": "sudoku render", "sudoku show": "sudoku render",
	"sudoku print": "sudoku render", "sudoku svg": "sudoku render", "sudoku unique": "sudoku check",
	"sudoku enumerate": "sudoku solve", "sudoku dimacs": "sudoku encode", "sudoku cnf": "sudoku encode",
	"sudoku create": "sudoku generate", "sudoku make": "sudoku generate",
	"sudoku solve --format svg": "sudoku render --solve", "sudoku solve --format png": "sudoku render --solve",
	"sudoku solve --svg": "sudoku render --solve", "sudoku solve --png": "sudoku render --solve",
	"sudoku solve --all": "sudoku count", "sudoku hint --svg": "sudoku render --hint",
	"sudoku hint --format svg": "sudoku render --hint", "sudoku convert --format svg": "sudoku render",
	"sudoku convert --format cnf": "sudoku encode",

	"solve --core": "mus", "solve --mus": "mus", "solve --why": "mus", "solve --explain": "mus",
	"solve --all": "enumerate", "solve --models": "enumerate", "solve --enumerate": "enumerate", "solve --limit": "enumerate",
	"solve --count": "count", "solve --maxsat": "maxsat", "solve --check": "check",
	"solve --forced": "backbone", "solve --cubes": "conquer", "solve --cube": "conquer", "solve --preprocess": "simplify",
	"count --models": "enumerate", "solve --svg": "trace", "solve --format svg": "trace", "solve --dot": "trace",
}

const programDescription = `Sator is a SAT solver: it reads a formula in DIMACS CNF and finds a model or
proves that the formula has no model. The exit code is the answer: 10
satisfiable, 20 unsatisfiable, 0 unknown, and 30 for an optimum of maxsat. The
other commands end with 0 on success. 1 is an input that cannot be read or an
output that cannot be written, 2 an invalid command line, 3 an internal error of
Sator, 4 a wrong solution or proof. If the reader of a pipe ends early, as in
"sator ... | head", the command ends silently with 141. A closed standard output
(>&-) is an error. /dev/null that is opened for reading too counts as closed,
unless standard error shares it; write >/dev/null or --output /dev/null instead.

The suffix of an output file, such as .json, .svg or .icnf, selects its format
unless a flag does, and .gz, .xz or .zst after it the compression. A suffix of a
format that the command cannot write is an error.

Flags may stand before or after operands; "--" ends them. The first operand is
the name of the command; any other first operand is a file to solve. A plain
word that is neither a command nor a file is an error. To solve a file that has
the name of a command, write ./solve. Without a command and a file, sator solves
standard input; if that is a terminal, "sator" prints this text.

Examples:
  sator solve problem.cnf
  sator problem.cnf.gz --time 10
  sator problem.cnf problem.drat; sator check problem.cnf problem.drat
  sator generate ksat --vars 100 | sator
  sator help solve`

// commands lists the subcommands in the order of the help text. To add one,
// add its file and a line here.
var commands = []func(*cli.Env) *cli.Command{
	solveCommand,
	cubeCommand,
	conquerCommand,
	enumerateCommand,
	countCommand,
	maxsatCommand,
	checkCommand,
	musCommand,
	backboneCommand,
	simplifyCommand,
	extendCommand,
	convertCommand,
	infoCommand,
	twosatCommand,
	traceCommand,
	generateCommand,
	sudoku.Command,
}
