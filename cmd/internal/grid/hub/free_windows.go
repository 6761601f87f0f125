package hub

import "golang.org/x/sys/windows"

// freeSpace returns the bytes that the user may still write to the volume of a directory,
// and the size of the volume.
func freeSpace(dir string) (free, size int64, known bool) {
	name, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return 0, 0, false
	}
	var left, total uint64
	if err := windows.GetDiskFreeSpaceEx(name, &left, &total, nil); err != nil {
		return 0, 0, false
	}
	return int64(min(left, 1<<62)), int64(min(total, 1<<62)), true
}
