package radix_test

import (
	"fmt"

	"sator/dpll/cdcl/internal/radix"
)

func ExampleSort() {
	keys := []uint64{3<<32 | 7, 1<<32 | 8}
	radix.Sort(keys, nil)
	fmt.Println(uint32(keys[0]), uint32(keys[1]))
	// Output: 8 7
}
