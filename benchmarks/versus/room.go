package versus

import (
	"os"
	"path/filepath"
)

// A bench has a folder for what solvers print and write, among the temporary files of the system,
// and removes it in the end. A bench that is killed cannot, and a proof may be large. So a bench
// holds a lock on its folder, which the system takes back from a dead process however it died, and
// each bench first removes the folders that nobody holds. Where there are no such locks nothing is
// ever removed but the folder of the bench itself.

// roomName begins the names of these folders.
const roomName = "sator-bench-"

// makeRoom makes the folder of a bench, and returns what removes it.
func makeRoom() (dir string, leave func(), err error) {
	rooms, _ := filepath.Glob(filepath.Join(os.TempDir(), roomName+"*"))
	for _, room := range rooms {
		removeAbandoned(room)
	}
	for {
		if dir, err = os.MkdirTemp("", roomName); err != nil {
			return "", nil, err
		}
		release := hold(dir)
		leave = func() {
			os.RemoveAll(dir)
			release()
		}
		// Before the lock was there another bench may have taken the folder for an abandoned one.
		if _, err := os.Stat(dir); err == nil {
			return dir, leave, nil
		}
		leave()
	}
}
