package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"io"
	"path"
	"slices"
	"strings"
	"time"
)

// Reproducible archives: their bytes depend on names, modes and contents of the files and on the
// date alone. Entries are sorted, and belong to root.

// A file is a file or a folder of an archive.
type file struct {
	name string // with slashes, relative
	mode int64  // permissions
	data []byte
	dir  bool
}

// within returns the files moved into a folder.
func within(folder string, files []file) []file {
	moved := slices.Clone(files)
	for i := range moved {
		moved[i].name = path.Join(folder, moved[i].name)
	}
	return moved
}

// folders returns the files and the folders above them, sorted by name. So a folder precedes
// its files.
func folders(files []file) []file {
	all := slices.Clone(files)
	seen := map[string]bool{}
	for _, f := range files {
		seen[f.name] = true
	}
	for _, f := range files {
		for dir := path.Dir(f.name); dir != "." && !seen[dir]; dir = path.Dir(dir) {
			seen[dir] = true
			all = append(all, file{name: dir, mode: 0o755, dir: true})
		}
	}
	slices.SortFunc(all, func(a, b file) int { return strings.Compare(a.name, b.name) })
	return all
}

// tarred returns an archive of the files, and of the folders above them, in the format tar.
func tarred(files []file, date time.Time) []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, f := range folders(files) {
		h := &tar.Header{
			Typeflag: tar.TypeReg, Name: f.name, Mode: f.mode, Size: int64(len(f.data)),
			ModTime: date, Uname: "root", Gname: "root", Format: tar.FormatUSTAR,
		}
		if f.dir {
			h.Typeflag, h.Name = tar.TypeDir, f.name+"/"
		}
		must(w.WriteHeader(h))
		_, err := w.Write(f.data)
		must(err)
	}
	must(w.Close())
	return b.Bytes()
}

// zipped returns an archive of the files in the format zip.
func zipped(files []file, date time.Time) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	w.RegisterCompressor(zip.Deflate, func(out io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(out, flate.BestCompression)
	})
	for _, f := range folders(files) {
		if f.dir {
			continue // a name with a slash makes the folder
		}
		out, err := w.CreateHeader(&zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: date})
		must(err)
		_, err = out.Write(f.data)
		must(err)
	}
	must(w.Close())
	return b.Bytes()
}

// compress returns data compressed by gzip, without a name and a time.
func compress(data []byte) []byte {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	must(err)
	_, err = w.Write(data)
	must(err)
	must(w.Close())
	return b.Bytes()
}

// must panics with an error of writing to memory. A name or a date that the format cannot
// represent is its only cause.
func must(err error) {
	if err != nil {
		panic("release: " + err.Error())
	}
}
