package cli

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Control groups limit the memory of a set of processes. They form a tree, and a process is
// bound by the limits of its group and of all groups above it. There are two versions, and
// a system may use both:
//
//   - Version 2 has one tree. memory.max is a hard limit. Above memory.high the system
//     slows the processes down so much that they make no progress, so it counts as a limit,
//     too.
//   - Version 1 has one tree for each resource, and memory.limit_in_bytes as the limit.
//
// proc/self/cgroup names the group of the process, and proc/self/mountinfo the folders
// where the trees are mounted. In a container the mount often shows only the part of the
// tree from the container's own group on. Groups above it are then invisible.
//
// The memory in use includes the file cache, which the system frees on demand, so it does
// not count.

// A groupFiles lists the names of the files and counters of a version.
type groupFiles struct {
	limits []string
	used   string
	cache  []string // counters of memory.stat
}

var groupVersions = [...]groupFiles{
	1: {[]string{"memory.limit_in_bytes"}, "memory.usage_in_bytes", []string{"total_inactive_file", "total_active_file"}},
	2: {[]string{"memory.max", "memory.high"}, "memory.current", []string{"inactive_file", "active_file", "slab_reclaimable"}},
}

// groupMemory returns the least free memory of the control groups of the process, and
// whether one of them has a limit. All paths are below the folder root.
func groupMemory(root string) (least int64, limited bool) {
	least = math.MaxInt64
	groups := groupPaths(root)
	text, _ := os.ReadFile(filepath.Join(root, "proc/self/mountinfo"))
	for line := range strings.Lines(string(text)) {
		m, ok := parseMount(line)
		if !ok {
			continue
		}
		path, ok := groups[m.version]
		if !ok {
			continue
		}
		top := filepath.Join(root, m.point)
		for dir := m.folder(root, path); ; dir = filepath.Dir(dir) {
			if free, is := groupFree(dir, groupVersions[m.version]); is {
				least, limited = min(least, free), true
			}
			if len(dir) <= len(top) {
				break
			}
		}
	}
	return least, limited
}

// groupPaths returns the paths of the groups of the process, by version, as in
// proc/self/cgroup: lines of a number, a list of resources, and the path.
func groupPaths(root string) map[int]string {
	paths := make(map[int]string)
	text, _ := os.ReadFile(filepath.Join(root, "proc/self/cgroup"))
	for line := range strings.Lines(string(text)) {
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3)
		switch {
		case len(fields) < 3:
		case fields[0] == "0" && fields[1] == "":
			paths[2] = fields[2]
		case slices.Contains(strings.Split(fields[1], ","), "memory"):
			paths[1] = fields[2]
		}
	}
	return paths
}

// A groupMount is a mounted tree of control groups.
type groupMount struct {
	version int
	top     string // path of the group that the mount point shows
	point   string // mount point
}

// parseMount parses a line of proc/self/mountinfo. It returns false if the line is not about
// a tree of control groups with memory limits.
func parseMount(line string) (m groupMount, ok bool) {
	before, after, ok := strings.Cut(strings.TrimSpace(line), " - ")
	place, kind := strings.Fields(before), strings.Fields(after)
	if !ok || len(place) < 5 || len(kind) < 3 {
		return m, false
	}
	switch {
	case kind[0] == "cgroup2":
		m.version = 2
	case kind[0] == "cgroup" && slices.Contains(strings.Split(kind[2], ","), "memory"):
		m.version = 1
	default:
		return m, false
	}
	m.top, m.point = unescaped(place[3]), unescaped(place[4])
	return m, true
}

// unescaped replaces the octal escapes of proc/self/mountinfo, such as \040 for a space.
func unescaped(s string) string {
	for i := 0; i+3 < len(s); i++ {
		if s[i] != '\\' {
			continue
		}
		if n, err := strconv.ParseUint(s[i+1:i+4], 8, 8); err == nil {
			s = s[:i] + string(rune(n)) + s[i+4:]
		}
	}
	return s
}

// folder returns the folder of the group with this path. A group outside of the mounted
// part of the tree has no folder; its processes are bound by the top of that part at most.
func (m groupMount) folder(root, path string) string {
	rest, inside := strings.CutPrefix(path, strings.TrimSuffix(m.top, "/"))
	if !inside || rest != "" && rest[0] != '/' || strings.Contains(path, "..") {
		rest = ""
	}
	return filepath.Join(root, m.point, rest)
}

// groupFree returns the free memory of the group with this folder, and whether it has a
// limit.
func groupFree(dir string, files groupFiles) (free int64, limited bool) {
	limit := int64(math.MaxInt64)
	for _, name := range files.limits {
		if n, ok := groupNumber(dir, name); ok {
			limit = min(limit, n)
		}
	}
	if limit > 1<<60 { // version 1 without a limit
		return 0, false
	}
	used, ok := groupNumber(dir, files.used)
	if !ok {
		return limit, true
	}
	stat, _ := os.ReadFile(filepath.Join(dir, "memory.stat"))
	for _, name := range files.cache {
		if n, ok := numberAfter(stat, name, 1); ok {
			used -= n
		}
	}
	return max(0, limit-max(0, used)), true
}

// groupNumber returns the number in a file, and false for "max" or without the file.
func groupNumber(dir, name string) (n int64, ok bool) {
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		return 0, false
	}
	n, err = strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	return n, err == nil
}
