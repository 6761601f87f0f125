package cli

import "strconv"

// On 32-bit systems a process has at most so many bytes of addresses.
const addresses32 = 3 << 30

// Spare returns how many bytes the process can still get, if that is known.
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
