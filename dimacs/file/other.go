//go:build !unix

package file

import (
	"errors"
	"os"
)

// duplicate returns an error: this system has no names for file descriptors.
func duplicate(int) (*os.File, error) { return nil, errors.ErrUnsupported }

// owner returns no owner: files have none here, or one that does not change.
func owner(os.FileInfo) (uid, gid int, ok bool) { return 0, 0, false }
