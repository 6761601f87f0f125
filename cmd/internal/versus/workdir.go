package versus

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"sator/dimacs/file"
)

// The work directory. A bench writes the output of the solvers to a directory below the system's
// directory for temporary files, and removes it at the end. A bench that is killed cannot remove
// its directory, and a proof may be large. Each bench therefore first removes the directories of
// killed benches. The directory for temporary files has files of other programs and of people too,
// so a directory is removed only if
//
//   - it is a directory, not a symbolic link, and belongs to the same user;
//   - no process has the lock on it: each bench locks its directory, and the operating system
//     releases the lock when the process dies for any reason;
//   - it has a marker that a bench wrote for this directory: a file with the name and the inode
//     number of the directory. A renamed directory and a copy have no valid marker.
//
// Of such a directory, only files are removed that a bench creates (see removeFiles). If there are
// others, the directory stays, without the marker, and later benches leave it alone.
//
// On systems without such locks, a bench removes only its own directory.

const (
	workDirPrefix = "sator-bench-" // begins the names of work directories
	markerFile    = "made-by-sator-lab-bench"
	formulaFile   = "formula.cnf" // the decompressed formula
	runDir        = "run"         // the directory of the current run
)

// The files in the directory of a run.
const (
	outFile   = "out"
	errFile   = "err"
	modelFile = "model"
	proofFile = "proof"
)

// makeWorkDir creates, locks and marks the work directory of a bench. It returns the directory and
// a function that removes it.
func makeWorkDir() (dir string, remove func(), err error) {
	found, _ := filepath.Glob(filepath.Join(os.TempDir(), workDirPrefix+"*"))
	for _, old := range found {
		removeAbandoned(old)
	}
	if dir, err = os.MkdirTemp("", workDirPrefix); err != nil {
		return "", nil, err
	}
	release, err := hold(dir)
	if err != nil {
		os.Remove(dir)
		return "", nil, err
	}
	return dir, func() {
		if root, err := os.OpenRoot(dir); err == nil {
			removeFiles(root)
			root.Close()
			os.Remove(dir)
		}
		release()
	}, nil
}

// marker returns the content of the marker of a directory.
func marker(dir string, inode uint64) string {
	return fmt.Sprintf("The command sator-lab bench made this directory for its temporary files.\n"+
		"The next bench removes it: directory %s, inode %d.\n", filepath.Base(dir), inode)
}

// removeFiles removes the files that a bench and its solvers create in a work directory, the marker
// last. It follows no symbolic links. Other files stay: a solver that creates files of other names
// keeps them.
func removeFiles(root *os.Root) {
	if info, err := root.Lstat(runDir); err == nil && info.IsDir() {
		if run, err := root.OpenRoot(runDir); err == nil {
			removeRunFiles(run)
			run.Close()
		}
		root.Remove(runDir)
	}
	removeRegular(root, formulaFile)
	removeRegular(root, markerFile)
}

// removeRunFiles removes the files of a run, and the temporary files that Sator leaves beside them
// when it is killed.
func removeRunFiles(run *os.Root) {
	dir, err := run.Open(".")
	if err != nil {
		return
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	for _, name := range names {
		own := name
		if target, is := file.TemporaryOf(name); is {
			own = target
		}
		if slices.Contains([]string{outFile, errFile, modelFile, proofFile}, own) {
			removeRegular(run, name)
		}
	}
}

// removeRegular removes a file if it is a regular file.
func removeRegular(root *os.Root, name string) {
	if info, err := root.Lstat(name); err == nil && info.Mode().IsRegular() {
		root.Remove(name)
	}
}
