package cdcl

import (
	"syscall"
	"unsafe"
)

// Transparent huge pages. Propagation accesses the arena and the pool at random
// places. With pages of 4 KiB nearly every access to some ten megabytes of clauses
// also misses the processor's table of pages (TLB). Some systems give huge pages
// only to programs that ask for them by madvise; there a page of 2 MiB then replaces
// 512 small ones (as in Fichte, Manthey, Stecklina and Schidler, "Towards faster
// reasoners by using transparent huge pages", CP 2020).
//
// The advice is only a hint: a system without huge pages ignores it.

const hugePage = 2 << 20

// adviseHuge advises huge pages for the aligned part of the n bytes from p on.
func adviseHuge(p unsafe.Pointer, n uintptr) {
	skip := -uintptr(p) & (hugePage - 1) // to the first boundary
	if n < skip+hugePage {
		return
	}
	whole := (n - skip) &^ (hugePage - 1)
	_ = syscall.Madvise(unsafe.Slice((*byte)(unsafe.Add(p, skip)), whole), syscall.MADV_HUGEPAGE)
}

// collapse is MADV_COLLAPSE, in Linux since version 6.1.
const collapse = 25

// adviseHuge advises huge pages for the complete huge pages of a table of this many bytes.
// Its last part keeps small pages, so that what follows the table is not resident. When
// that part is complete, its small pages, up to the byte written, are replaced.
func (r *reservation) adviseHuge(written, size uint64) {
	from := max(r.huge, uint64(-uintptr(unsafe.Pointer(unsafe.SliceData(r.memory)))&(hugePage-1)))
	if size < from+hugePage {
		return
	}
	r.huge = from + (size-from)&^(hugePage-1)
	_ = syscall.Madvise(r.memory[from:r.huge], syscall.MADV_HUGEPAGE)
	if written > from {
		whole := (written - from + hugePage - 1) &^ (hugePage - 1)
		_ = syscall.Madvise(r.memory[from:min(r.huge, from+whole)], collapse)
	}
}

// populateWrite is MADV_POPULATE_WRITE, in Linux since version 5.14.
const populateWrite = 23

// populate makes the system provide all pages of a table at once. A page fault for each of
// them takes longer.
func (r *reservation) populate() { _ = syscall.Madvise(r.memory, populateWrite) }

// discard returns the memory of the bytes from used up to end to the system. They read as zero
// afterwards. A huge page that is used in part stays.
func (r *reservation) discard(used, end uint64) {
	page := uint64(syscall.Getpagesize())
	if used < r.huge {
		page = hugePage
	}
	first := uint64(uintptr(unsafe.Pointer(unsafe.SliceData(r.memory))))
	from := (first+used+page-1)&^(page-1) - first
	if from < end {
		_ = syscall.Madvise(r.memory[from:end], syscall.MADV_DONTNEED)
	}
}
