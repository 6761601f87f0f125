package cli

import "strconv"

// addresses32 is the size of the address space of a process on 32-bit systems.
const addresses32 = 3 << 30

// Spare returns how many bytes the process can still allocate, and whether that
// is known.
func (e *Env) Spare() (bytes int64, known bool) {
	if e.Free != nil {
		bytes, known = e.Free()
	}
	if strconv.IntSize == 32 {
		left := max(0, addresses32-Memory())
		if !known || left < bytes {
			bytes, known = left, true
		}
	}
	return bytes, known
}
