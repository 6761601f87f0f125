package versus

import (
	"os"
	"path/filepath"
)

// The work directory. A bench writes the output of the solvers to a directory below the system's
// directory for temporary files, and removes it at the end. A bench that is killed cannot remove
// its directory, and a proof may be large. Each bench therefore holds a lock on its directory,
// which the operating system releases when the process dies for any reason, and each bench first
// removes the directories that are not locked. On systems without such locks, a bench removes only
// its own directory.

// workDirPrefix begins the names of work directories.
const workDirPrefix = "sator-bench-"

// makeWorkDir creates and locks the work directory of a bench. It returns the directory and a
// function that removes it.
func makeWorkDir() (dir string, remove func(), err error) {
	found, _ := filepath.Glob(filepath.Join(os.TempDir(), workDirPrefix+"*"))
	for _, old := range found {
		removeAbandoned(old)
	}
	for {
		if dir, err = os.MkdirTemp("", workDirPrefix); err != nil {
			return "", nil, err
		}
		release := hold(dir)
		remove = func() {
			os.RemoveAll(dir)
			release()
		}
		// Another bench may have removed the directory before it was locked.
		if _, err := os.Stat(dir); err == nil {
			return dir, remove, nil
		}
		remove()
	}
}
