package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// write writes the files to the folder dir, whole or not at all: they are written to a new
// folder beside it, and then that folder gets its name. An older site in dir is replaced; a folder with any other file
// is refused.
func write(dir string, files map[string][]byte) (err error) {
	dir = filepath.Clean(dir)
	exists, err := replaceable(dir, files)
	if err != nil {
		return err
	}
	parent := filepath.Dir(dir)
	fresh, err := os.MkdirTemp(parent, filepath.Base(dir)+".new-")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(fresh))
		}
	}()
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(fresh, name), data, 0o666); err != nil {
			return err
		}
	}
	// MkdirTemp makes folders for the owner alone; a web server reads this one.
	if err := os.Chmod(fresh, 0o755); err != nil {
		return err
	}
	if !exists {
		return os.Rename(fresh, dir)
	}
	return swap(dir, fresh)
}

// replaceable reports whether dir exists. The error says that it is no folder, or has
// files that no site has.
func replaceable(dir string, files map[string][]byte) (exists bool, err error) {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, err
	case len(entries) == 0:
		return true, nil
	}
	for _, e := range entries {
		if e.Name() == "worker.wasm.gz" {
			return true, onlySite(dir, entries, files)
		}
	}
	return true, fmt.Errorf("%s exists and is no playground: choose a new folder", dir)
}

// onlySite returns an error if an entry is neither a file of this site nor a script or
// style of an older one.
func onlySite(dir string, entries []fs.DirEntry, files map[string][]byte) error {
	for _, e := range entries {
		_, known := files[e.Name()]
		switch filepath.Ext(e.Name()) {
		case ".js", ".css":
			known = true
		}
		if !known || !e.Type().IsRegular() {
			return fmt.Errorf("%s has %s, which is no file of a playground: choose a new folder", dir, e.Name())
		}
	}
	return nil
}

// swap replaces the folder dir by fresh. After an error the old one is back.
func swap(dir, fresh string) error {
	old := fresh + ".old"
	if err := os.Rename(dir, old); err != nil {
		return err
	}
	if err := os.Rename(fresh, dir); err != nil {
		return errors.Join(err, os.Rename(old, dir))
	}
	return os.RemoveAll(old)
}
