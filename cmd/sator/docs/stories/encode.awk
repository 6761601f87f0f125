# encode.awk: a timetable as a formula.
#
#   awk -f encode.awk school.txt wishes.txt                 WCNF, for sator maxsat
#   awk -v form=cnf -f encode.awk school.txt                CNF, for sator solve
#   awk -v form=why -f encode.awk school.txt ...            GCNF, for sator mus
#
# A variable says that a lesson, such as the second of maths in 7a, is in a slot,
# such as the third hour on Monday. More variables say that a teacher works on a
# day. Comments "c name N ..." keep the names of variables, for mus of groups: the
# clauses of each line of the file are one.

{ sub(/#.*/, "") }
NF == 0 { next }
{ group = form == "why" ? ++groups : 0; said = $0; gsub(/ +/, " ", said) }
form == "why" { print "c name", group, said }

$1 == "days" { for (i = 2; i <= NF; i++) day[++days] = $i; next }
$1 == "hours" && NF == 2 { hours = $2; slots = days * hours; next }
$1 == "teacher" { for (i = 3; i <= NF; i++) teaches($2, $i); next }
$1 == "class" { for (i = 3; i < NF; i += 2) subject($2, $i, $(i + 1)); next }

# The rules that name hours or days, and the wishes.
$1 == "hours" { for (s = 1; s <= slots; s++) if (hourOf(s) < $3 || hourOf(s) > $4) each($2, s, ""); next }
$1 == "away" { hard(-works($2, $3)); next }
$2 == "not" { for (s = $4; s <= slots; s += hours) each($3, s, $1); next }
$2 == "free" { soft($1, -works($3, $4)); next }
{ print "line " FNR ": what is " $1 "?" > "/dev/stderr"; failed = 1; exit 1 }

END {
	if (failed) exit 1
	if (form == "cnf") print "p cnf", variables, clauses
	if (form == "why") print "p gcnf", variables, clauses, groups
	for (i = 1; i <= clauses; i++) print clause[i]
}

function dayOf(s) { return int((s - 1) / hours) + 1 }
function hourOf(s) { return (s - 1) % hours + 1 }

# at returns the variable of a lesson in a slot.
function at(l, s) { return variable(who[l] " " what[l] " " day[dayOf(s)] " " hourOf(s), l SUBSEP s) }

# works returns the variable of a teacher who works on a day.
function works(t, d) { return variable(t " works " d, t SUBSEP d) }

# each excludes a subject from a slot, in all classes: as a rule, or as a wish with a weight.
function each(name, s, weight,   l) {
	for (l = 1; l <= lessons; l++) {
		if (what[l] != name) continue
		if (weight == "") hard(-at(l, s))
		else soft(weight, -at(l, s))
	}
}

function variable(called, key) {
	if (!(key in number)) {
		number[key] = ++variables
		if (form != "why") print "c name", variables, called
	}
	return number[key]
}

# subject adds n lessons of a subject for a class: each in a slot, on a later day than the
# one before, and not in the slot of another lesson of the class.
function subject(c, name, n,   i, l, m, r, s, all) {
	for (i = 1; i <= n; i++) {
		l = ++lessons; who[l] = c; what[l] = name; all = ""
		for (s = 1; s <= slots; s++) all = all " " at(l, s)
		hard(all)
		for (s = 1; s <= slots; s++)
			for (r = 1; r <= slots; r++) {
				if (r < s) hard(-at(l, s) " " (-at(l, r)))
				if (i > 1 && dayOf(s) <= dayOf(r)) hard(-at(l, s) " " (-at(l - 1, r)))
			}
		for (m = 1; m < l; m++)
			if (who[m] == c && what[m] != name)
				for (s = 1; s <= slots; s++) hard(-at(l, s) " " (-at(m, s)))
	}
}

# teaches gives the lessons of a subject to a teacher, who cannot be in two classes.
function teaches(t, name,   l, m, s) {
	for (l = 1; l <= lessons; l++) {
		if (what[l] != name) continue
		taught[l] = t
		for (s = 1; s <= slots; s++) {
			hard(-at(l, s) " " works(t, day[dayOf(s)]))
			for (m = 1; m <= lessons; m++)
				if (m != l && taught[m] == t && who[m] != who[l]) hard(-at(l, s) " " (-at(m, s)))
		}
	}
}

function hard(literals) { add(form == "why" ? "{" group "} " : form == "cnf" ? "" : "h ", literals) }
function soft(weight, literals) { add(weight " ", literals) }
function add(before, literals) { clause[++clauses] = before literals " 0" }
