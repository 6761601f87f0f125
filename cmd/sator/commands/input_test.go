package commands

import (
	"encoding/hex"
	"strings"
	"testing"

	"sator/cmd/internal/cli"
	"sator/cmd/internal/clitest"
)

// TestDamageBehindSyntaxError checks that a damaged archive is reported as damaged, even if
// the parser finds a syntax error before the checksum.
func TestDamageBehindSyntaxError(t *testing.T) {
	const damaged = "425a68393141592653591ead76e30000125980001040027f0009014000200031000006" +
		"a7e9468686975a143dee6486e23b53c056eb1d86340aab1f1772453850901ead76e3"
	data, err := hex.DecodeString(damaged)
	if err != nil {
		t.Fatal(err)
	}
	name := clitest.Write(t, "damaged.bz2", string(data))
	for _, operand := range []string{name, "-"} {
		code, out, errs := execute(t, &cli.Env{Stdin: strings.NewReader(string(data))}, "solve", operand)
		if code != 1 || !strings.Contains(errs, "damaged") || strings.Contains(out, "\ns ") {
			t.Errorf("%s: code %d, %q, %q", operand, code, out, errs)
		}
	}
}
