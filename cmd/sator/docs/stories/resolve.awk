# resolve.awk: a catalog of packages and the wishes of a project, as a formula.
#
#   awk -f resolve.awk catalog.txt project.txt              for sator mus
#   awk -v form=wishes -f resolve.awk catalog.txt ...       for sator mus --mcs
#   awk -v form=least -f resolve.awk catalog.txt ...        for sator maxsat
#
# A variable says that a version of a package is installed. For sator mus the
# clauses of a line are a group; group 0 holds what is not in question. With
# form=wishes only the wishes are groups, and the catalog is group 0. For sator
# maxsat all these clauses are hard, and not to install a version is a soft clause
# of weight 10, and 1 more for each newer version. Comments "c name N ..." name the
# groups, for maxsat the variables.

{ sub(/#.*/, ""); gsub(/[:,]/, " ") }
NF == 0 { next }
{ line[++lines] = $0 }
$1 == "want" { next }

{
	variable[$1, $2] = ++variables
	if (form == "least") print "c name", variables, $1 "-" $2
	package[variables] = $1
	others[variables] = versions[$1]
	versions[$1] = versions[$1] " " variables
}

END {
	for (v = 1; v <= variables; v++) {
		n = split(others[v], other, " ")
		for (i = 1; i <= n; i++) clause(0, -v " " (-other[i]))
	}
	for (i = 1; i <= lines; i++) encode(split(line[i], field, " "))
	if (form != "least") print "p gcnf", variables, clauses, groups + 0
	printf "%s", text
	if (form == "least") for (v = 1; v <= variables; v++) print 10 + newer(v), -v, 0
}

# encode adds a clause for each need of a line: the package, if it is installed,
# needs one of some versions.
function encode(n,   k, group, says, premise) {
	says = field[1] == "want" ? "the project wants" : field[1] "-" field[2] " needs"
	premise = field[1] == "want" ? "" : -variable[field[1], field[2]]
	k = field[1] == "want" ? 2 : 3
	if (k > n) return
	group = form == "wishes" && k == 3 ? 0 : ++groups
	for (; k < n; k += 2) {
		says = says " " field[k] " " field[k + 1]
		clause(group, premise oneOf(field[k], field[k + 1]))
	}
	if (group && form != "least") print "c name", group, says
}

# oneOf returns the variables of the versions of p in a range such as 2 or 1-3.
function oneOf(p, range,   ends, n, v, all) {
	n = split(range, ends, "-")
	for (v = ends[1]; v <= ends[n]; v++)
		if ((p, v) in variable) all = all " " variable[p, v]
	return all
}

# newer returns the number of versions of a package after version v of it.
function newer(v,   older, all) {
	return split(versions[package[v]], all, " ") - split(others[v], older, " ") - 1
}

function clause(group, literals) {
	clauses++
	text = text (form == "least" ? "h " : "{" group "} ") literals " 0\n"
}
