package mutants_test

import (
	"fmt"

	"sator/cmd/internal/mutants"
)

func ExampleEdit_Apply() {
	m, err := mutants.Parse(`The bound is excluded.

Test: . TestBound

--- bound.go
+++ bound.go
@@
-	return n <= 9
+	return n < 9
`)
	if err != nil {
		fmt.Println(err)
		return
	}
	text, err := m.Edits[0].Apply("func ok(n int) bool {\n\treturn n <= 9\n}\n")
	fmt.Print(text, err)
	// Output:
	// func ok(n int) bool {
	// 	return n < 9
	// }
	// <nil>
}
