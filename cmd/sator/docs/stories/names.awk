# names.awk: the answer of a solver in the names of the formula.
#
#   sator mus -q project.gcnf | awk -f names.awk project.gcnf -
#
# The first file has the names, as comments "c name N ...". Of the answer each
# "v" line lists numbers; negative ones are false and left out.

FNR == NR && $2 == "name" {
	i = $3
	sub(/^c name [0-9]+ /, "")
	name[i] = $0
}
FNR == NR { next }

$1 == "s" { print $2 }
$1 == "v" && ended { print "or" }
$1 == "v" {
	for (k = 2; k <= NF; k++) if ($k > 0) print "  " name[$k]
	ended = $NF == 0
}
