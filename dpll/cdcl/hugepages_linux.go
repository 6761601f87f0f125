package cdcl

import (
	"syscall"
	"unsafe"
)

// Propagation jumps about in the arena and the pool, and with pages of 4 KiB
// nearly each jump into some ten megabytes of clauses also misses the
// processor's table of pages. Systems that leave huge pages to those who ask
// for them are asked here: one of 2 MiB then takes the place of 512 (as in
// Fichte, Manthey, Stecklina and Schidler, "Towards faster reasoners by using
// transparent huge pages", CP 2020).
//
// It is a hint and no more. A system without huge pages refuses it, and all
// goes on as it would have.

const hugePage = 2 << 20

// adviseHuge asks for huge pages where n bytes from p on hold whole ones.
func adviseHuge(p unsafe.Pointer, n uintptr) {
	skip := -uintptr(p) & (hugePage - 1) // to the first boundary
	if n < skip+hugePage {
		return
	}
	whole := (n - skip) &^ (hugePage - 1)
	_ = syscall.Madvise(unsafe.Slice((*byte)(unsafe.Add(p, skip)), whole), syscall.MADV_HUGEPAGE)
}
