// Package file opens and creates the files of SAT solvers, with transparent
// compression: gzip, xz, zstd, and bzip2 for reading only.
//
//	in, err := file.Open("problem.cnf.xz") // or "-", standard input
//	if err != nil {
//		return err
//	}
//	defer in.Close()
//	f, err := dimacs.Read(in)
//	if err != nil {
//		return err
//	}
//	out, err := file.Create("copy.cnf.gz") // or "-", standard output
//	if err != nil {
//		return err
//	}
//	defer out.Abort() // has no effect after Close
//	if err := dimacs.Write(out, f); err != nil {
//		return err
//	}
//	return out.Close() // copy.cnf.gz is replaced only now
//
// Reading recognizes the compression by content. Writing chooses it by the ending
// of the name, in upper or lower case:
//
//	format   reading   writing
//	gzip     yes       .gz
//	xz       yes       .xz
//	zstd     yes       .zst, .zstd
//	bzip2    yes       no
//
// # Complete files
//
// A file that Create writes is complete or absent, also after a power cut. A
// [Writer] writes a temporary file beside the target. Close synchronizes it with
// the disk, renames it to the target, and synchronizes the directory. So it is
// with every file that a program announces as complete: a formula, a proof, a
// model, a report, a picture, a profile. A log that grows has [Disk.OpenFile] and
// calls Sync when it promises that its lines stay.
//
//   - If writing fails or is aborted, the old file stays and the temporary file is
//     removed. If the process is killed, the old file stays, and beside it the
//     temporary file, with a name such as .proof.drat.0a1b2c3d.tmp for proof.drat
//     (see [TemporaryOf]). It may be deleted.
//   - An old file must be writable, and so must its directory. The new file has its
//     permissions, its group, and, for root, its owner. A file without predecessor
//     has the usual permissions, less the umask.
//   - Symbolic links stay, and their target is replaced. Other hard links to the
//     old file keep the old content.
//   - A pipe, a device, and a name of an open file such as /dev/stdout or /dev/fd/3
//     are written directly, like standard output. They are not synchronized: other
//     programs opened them.
//   - A file system that cannot synchronize is not an error.
//
// A small file takes 5 ms on ext4 on a virtual disk; without synchronizing it
// takes less than 1 ms (BenchmarkSmallFile).
//
// The package starts no other program and no goroutine. It is not a part of
// dimacs because it needs libraries.
//
// # Files
//
//   - open.go: [File], for reading, and the table of compression formats.
//   - gzip.go, xz.go, zstd.go: decompression with the checks that the libraries lack.
//   - create.go: [Writer] writes a temporary file beside the old file and replaces
//     the old file with the complete file.
//   - disk.go: [Disk], the operations on files. In tests they can fail.
//   - unix.go, other.go: owners and file descriptors.
package file
