#!/bin/sh
# Runs the solver on instances as the organizers of the SAT Competition do, and checks
# everything it prints and writes:
#
#	check.sh [-t SECONDS] [-w SECONDS] [-m MB] [-r SCRIPT] INSTANCE...
#
#	-t    CPU time of a run, 5000 s; 0 is no limit
#	-w    time on the clock, 5000 s
#	-m    memory, 32000 MB: address space, by ulimit -v; Go reserves 700 MB of it
#	-r    script beside this one: run.sh (binary DRAT), run-lrat.sh, run-parallel.sh
#
# For the parallel track: check.sh -t 0 -w 1000 -m 256000 -r run-parallel.sh INSTANCE...
#
# A run is right if it exits with 10, prints "s SATISFIABLE" and a model that satisfies the
# instance; or exits with 20, prints "s UNSATISFIABLE" and writes a proof that a checker
# accepts; or gives no answer. Checkers of proofs are dpr-trim or drat-trim, and cake_lpr or
# lrat-check for LRAT, if they are in PATH, and "sator check" otherwise; models are checked by
# "sator check". A checker has 40000 s as in the competitions. Every line of the output begins
# with "c", "s" or "v", has at most 4096 characters, and there is one line "s" at most.
#
# For each run there is a line: verdict, answer, CPU seconds, bytes of the proof, checker,
# instance. The last line has the PAR-2 score: the mean of CPU seconds (of the clock without a
# limit of CPU time), a run without an answer counting twice the limit. The exit code is 1 if
# any run is wrong, and 2 for a bad command line.
set -u
cpu=5000 wall=5000 memory=32000 script=run.sh
usage() {
	echo "usage: check.sh [-t SECONDS] [-w SECONDS] [-m MB] [-r SCRIPT] INSTANCE..." >&2
	exit 2
}
while getopts t:w:m:r: flag; do
	case $flag in
	t) cpu=$OPTARG ;;
	w) wall=$OPTARG ;;
	m) memory=$OPTARG ;;
	r) script=$OPTARG ;;
	*) usage ;;
	esac
done
shift $((OPTIND - 1))
test $# -gt 0 || usage
for n in "$cpu" "$wall" "$memory"; do
	case $n in
	'' | *[!0-9]*) usage ;;
	esac
done
here=$(cd "$(dirname "$0")" && pwd)
if ! test -r "$here/$script"; then
	echo "check.sh: there is no script $here/$script" >&2
	exit 2
fi
if ! command -v timeout >/dev/null; then
	echo "check.sh: there is no program timeout (GNU coreutils)" >&2
	exit 2
fi
. "$here/program.sh"

dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# limited runs the script on instance $1 under the limits and returns its exit code. The CPU
# time goes to the file times.
limited() {
	(
		# At the soft limit a process gets SIGXCPU, and at the hard one SIGKILL.
		if test "$cpu" != 0; then
			ulimit -S -t "$cpu" && ulimit -H -t $((cpu + 1)) || exit 125
		fi
		ulimit -v $((memory * 1000)) || exit 125
		timeout -k 10 "$wall" sh "$here/$script" "$1" "$dir/proof"
		code=$?
		times >"$dir/times"
		exit $code
	) >"$dir/out" 2>"$dir/err"
}

# form checks the lines of the output and prints the answer: "SATISFIABLE",
# "UNSATISFIABLE", "UNKNOWN", or "none" without a line "s"; or a fault, after "bad:".
form() {
	awk '
		length($0) > 4096 { print "bad: line " NR " has more than 4096 characters"; bad = 1; exit }
		/^c( |$)/ { next }
		/^v / { values = 1; next }
		/^s (SATISFIABLE|UNSATISFIABLE|UNKNOWN)$/ {
			if (answer != "") { print "bad: two lines s"; bad = 1; exit }
			answer = $2
			next
		}
		{ print "bad: line " NR " is neither c, s nor v"; bad = 1; exit }
		END {
			if (bad) exit
			if (values && answer != "SATISFIABLE") print "bad: values without a model"
			else print answer == "" ? "none" : answer
		}' "$dir/out"
}

# plain writes instance $1 without compression to the file instance.cnf, for checkers that
# read no other.
plain() {
	case $1 in
	*.xz) xz -dc "$1" ;;
	*.gz) gzip -dc "$1" ;;
	*.bz2) bzip2 -dc "$1" ;;
	*.zst) zstd -dqc "$1" ;;
	*) cat "$1" ;;
	esac >"$dir/instance.cnf"
}

# proof checks the proof of instance $1 and sets checker. dpr-trim and drat-trim exit with 0
# for a proof that they reject, so their line is what counts.
proof() {
	patience="timeout -k 10 40000"
	case $script in
	*lrat*)
		if command -v cake_lpr >/dev/null; then
			checker=cake_lpr
			plain "$1" && $patience cake_lpr "$dir/instance.cnf" "$dir/proof/proof.out" >"$dir/checked" 2>&1
			grep -q '^s VERIFIED UNSAT' "$dir/checked"
			return
		fi
		if command -v lrat-check >/dev/null; then
			checker=lrat-check
			plain "$1" && $patience lrat-check "$dir/instance.cnf" "$dir/proof/proof.out" >"$dir/checked" 2>&1
			grep -q 'VERIFIED' "$dir/checked" && ! grep -q 'NOT VERIFIED' "$dir/checked"
			return
		fi
		;;
	*)
		for checker in dpr-trim drat-trim; do
			if command -v "$checker" >/dev/null; then
				plain "$1" && $patience "$checker" "$dir/instance.cnf" "$dir/proof/proof.out" -t 40000 >"$dir/checked" 2>&1
				tr '\r' '\n' <"$dir/checked" | grep -q '^s VERIFIED'
				return
			fi
		done
		;;
	esac
	checker="sator check"
	$patience "$sator" check --quiet -- "$1" "$dir/proof/proof.out" >"$dir/checked" 2>&1
}

wrong=0 solved=0 all=0 score=0
limit=$cpu
test "$limit" != 0 || limit=$wall
for instance; do
	rm -rf "$dir/proof"
	mkdir "$dir/proof"
	begin=$(date +%s)
	limited "$instance"
	code=$?
	seconds=$(($(date +%s) - begin))
	if test "$cpu" != 0 && test -s "$dir/times"; then
		# The second line is of the children: 0m1.25s 0m0.03s.
		seconds=$(awk 'NR == 2 {
			for (i = 1; i <= 2; i++) { split($i, t, "[ms]"); sum += 60 * t[1] + t[2] }
			printf "%.2f", sum
		}' "$dir/times")
	fi
	answer=$(form) checker=- verdict=right bytes=0
	if test -e "$dir/proof/proof.out"; then
		bytes=$(wc -c <"$dir/proof/proof.out" | tr -d ' ')
	fi
	case $code/$answer in
	10/SATISFIABLE)
		checker="sator check"
		"$sator" check --quiet -- "$instance" "$dir/out" >"$dir/checked" 2>&1 || verdict=WRONG
		;;
	20/UNSATISFIABLE)
		if test "$bytes" = 0; then
			verdict="WRONG (no proof)"
		else
			proof "$instance" || verdict=WRONG
		fi
		;;
	*/bad:* | 10/* | 20/* | */SATISFIABLE | */UNSATISFIABLE) verdict="WRONG (exit code $code)" ;;
	0/UNKNOWN | 124/UNKNOWN | 124/none | 137/none | 152/none | 158/none | 137/UNKNOWN) verdict=unknown answer=UNKNOWN ;;
	*) verdict="WRONG (exit code $code)" ;;
	esac
	all=$((all + 1))
	count=$seconds
	case $verdict in
	right) solved=$((solved + 1)) ;;
	unknown) count=$((2 * limit)) ;;
	*)
		wrong=1 count=$((2 * limit))
		sed 's/^/check.sh: /' "$dir/err" >&2
		if test -e "$dir/checked"; then
			tail -n 5 "$dir/checked" | sed 's/^/check.sh: /' >&2
		fi
		;;
	esac
	rm -f "$dir/checked" "$dir/times"
	score=$(awk "BEGIN { print $score + $count }")
	echo "$verdict, $answer, $seconds s, $bytes bytes, $checker: $instance"
done
awk "BEGIN { printf \"solved %d of %d, PAR-2 score %.2f\n\", $solved, $all, $score / $all }"
exit $wrong
