# explain.awk: the answer of a solver in the names of the formula.
#
#   sator mus project.gcnf -q | awk -f explain.awk project.gcnf -
#
# The first file has comments such as "c group 3 is: ..." and "c variable 7 is ...".
# Each "v" line of the answer has numbers of them, groups for a GCNF file.

FNR == NR && $1 == "c" && $3 ~ /^[0-9]+$/ {
	i = $3; $1 = $2 = $3 = $4 = ""; sub(/^ +/, ""); name[i] = $0
}
FNR == NR { groups = groups || $2 == "gcnf"; next }

$1 == "v" && groups && shown++ { print "or" }
$1 == "v" { for (k = 2; k <= NF; k++) if ($k > 0) print "  " name[$k] }
