# colors.awk: a model of a van der Waerden formula as a row of colors.
#
#   sator solve -q vdw-76.cnf | awk -f colors.awk
#
# Variable n is true if the number n has the first color, here red.

$1 == "v" {
	for (k = 2; k <= NF; k++) if ($k != 0) row = row ($k > 0 ? "R" : "b")
}
END { print row }
