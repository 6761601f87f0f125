# inputs.awk: the two numbers at the inputs of a miter of multipliers, of a model.
#
#   sator solve -q faulty.cnf | awk -v bits=6 -f inputs.awk
#
# Variables 1 to bits are the first number, the next ones the second, lowest bit first.

$1 == "v" {
	for (k = 2; k <= NF; k++) {
		bit = $k - 1
		if (bit >= 0 && bit < bits) a += 2 ^ bit
		if (bit >= bits && bit < 2 * bits) b += 2 ^ (bit - bits)
	}
}
END { print "the circuits differ for", a + 0, "*", b + 0 }
