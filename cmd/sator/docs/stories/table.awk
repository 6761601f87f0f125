# table.awk: the timetable of each class, of a model.
#
#   sator maxsat -q --literals week.wcnf | awk -f table.awk week.wcnf -
#
# The first file has the names of the variables, such as "7a maths Mon 3".

FNR == NR && $2 == "name" && NF == 7 {
	class[$3] = $4; subject[$3] = $5; day[$3] = $6; hour[$3] = $7
	if (!($4 in seen)) { seen[$4]; order[++classes] = $4 }
	if (!($6 in seen)) { seen[$6]; week[++days] = $6 }
	if ($7 > hours) hours = $7
}
FNR == NR { next }

$1 == "o" { cost = $2 }
$1 == "v" { for (k = 2; k <= NF; k++) if ($k in class) plan[class[$k], day[$k], hour[$k]] = subject[$k] }

END {
	if (cost != "") print "cost " cost "\n"
	for (c = 1; c <= classes; c++) {
		row(order[c])
		for (d = 1; d <= days; d++) cell(week[d])
		for (h = 1; h <= hours; h++) {
			row(h)
			for (d = 1; d <= days; d++) cell(plan[order[c], week[d], h])
		}
		row("")
	}
}

# row prints the row so far and begins another; cell adds a cell to it.
function row(head) { sub(/ +$/, "", line); if (line != "") print line; line = sprintf("%-4s", head); if (head == "") print "" }
function cell(text) { line = line sprintf(" %-8s", text == "" ? "-" : text) }
