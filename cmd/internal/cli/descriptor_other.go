//go:build !unix

package cli

import "errors"

// accessMode returns an error, since only Unix has this information.
func accessMode(int) (access, error) { return access{}, errors.ErrUnsupported }

// sharedDescription returns false, since only Unix has this information.
func sharedDescription(int, int) bool { return false }
