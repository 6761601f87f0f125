package cli

import (
	"os"
	"path/filepath"
	"testing"
)

// tree writes files, by their paths, below a new folder and returns that folder.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// Lines of proc/self/mountinfo.
const (
	mountRoot    = "21 1 259:2 / / rw,relatime shared:1 - ext4 /dev/root rw\n"
	mountV2      = "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n"
	mountV1      = "36 32 0:31 / /sys/fs/cgroup/memory rw,nosuid shared:15 - cgroup cgroup rw,memory\n"
	mountV1CPU   = "37 32 0:32 / /sys/fs/cgroup/cpu rw,nosuid shared:16 - cgroup cgroup rw,cpu,cpuacct\n"
	mountDocker1 = "719 717 0:31 /docker/c0ffee /sys/fs/cgroup/memory ro,nosuid master:15 - cgroup cgroup rw,memory\n"
)

// TestGroupMemory reads control groups of both versions: limits of the group itself and of
// the groups above it, in containers with and without a namespace of their own.
func TestGroupMemory(t *testing.T) {
	for _, tt := range []struct {
		name  string
		files map[string]string
		want  int64 // -1 for no limit
	}{
		{"none", map[string]string{}, -1},
		{"no mount", map[string]string{"proc/self/cgroup": "0::/a\n", "proc/self/mountinfo": mountRoot}, -1},
		{"v2 max", map[string]string{
			"proc/self/cgroup":                        "0::/user.slice\n",
			"proc/self/mountinfo":                     mountRoot + mountV2,
			"sys/fs/cgroup/user.slice/memory.max":     "max\n",
			"sys/fs/cgroup/user.slice/memory.high":    "max\n",
			"sys/fs/cgroup/user.slice/memory.current": "5000\n",
		}, -1},
		{"v2, file cache is free", map[string]string{
			"proc/self/cgroup":               "0::/a\n",
			"proc/self/mountinfo":            mountV2,
			"sys/fs/cgroup/a/memory.max":     "1000000\n",
			"sys/fs/cgroup/a/memory.current": "700000\n",
			"sys/fs/cgroup/a/memory.stat":    "anon 100000\nfile 600000\ninactive_file 250000\nactive_file 50000\nslab_reclaimable 1000\n",
		}, 1000000 - (700000 - 301000)},
		{"v2, memory.high", map[string]string{
			"proc/self/cgroup":               "0::/a\n",
			"proc/self/mountinfo":            mountV2,
			"sys/fs/cgroup/a/memory.max":     "1000000\n",
			"sys/fs/cgroup/a/memory.high":    "800000\n",
			"sys/fs/cgroup/a/memory.current": "100000\n",
		}, 700000},
		{"v2, systemd: the slice above the service is full", map[string]string{
			"proc/self/cgroup":                                                  "0::/system.slice/sat.slice/sator.service\n",
			"proc/self/mountinfo":                                               mountV2,
			"sys/fs/cgroup/system.slice/memory.max":                             "max\n",
			"sys/fs/cgroup/system.slice/sat.slice/memory.max":                   "2000000\n",
			"sys/fs/cgroup/system.slice/sat.slice/memory.current":               "1900000\n",
			"sys/fs/cgroup/system.slice/sat.slice/sator.service/memory.max":     "1500000\n",
			"sys/fs/cgroup/system.slice/sat.slice/sator.service/memory.current": "100000\n",
		}, 100000},
		{"v2, container with a namespace: the mount is the group", map[string]string{
			"proc/self/cgroup":             "0::/\n",
			"proc/self/mountinfo":          mountV2,
			"sys/fs/cgroup/memory.max":     "300000\n",
			"sys/fs/cgroup/memory.current": "100000\n",
		}, 200000},
		{"v2, group outside of the namespace", map[string]string{
			"proc/self/cgroup":             "0::/../other\n",
			"proc/self/mountinfo":          mountV2,
			"sys/fs/cgroup/memory.max":     "300000\n",
			"sys/fs/cgroup/memory.current": "100000\n",
			"sys/fs/other/memory.max":      "1\n",
		}, 200000},
		{"v2, more in use than allowed", map[string]string{
			"proc/self/cgroup":               "0::/a\n",
			"proc/self/mountinfo":            mountV2,
			"sys/fs/cgroup/a/memory.high":    "1000\n",
			"sys/fs/cgroup/a/memory.current": "5000\n",
		}, 0},
		{"v1", map[string]string{
			"proc/self/cgroup":                                  "12:cpu,cpuacct:/b\n9:memory:/user/a\n0::/\n",
			"proc/self/mountinfo":                               mountRoot + mountV1CPU + mountV1,
			"sys/fs/cgroup/memory/memory.limit_in_bytes":        "9223372036854771712\n",
			"sys/fs/cgroup/memory/user/memory.limit_in_bytes":   "600000\n",
			"sys/fs/cgroup/memory/user/memory.usage_in_bytes":   "500000\n",
			"sys/fs/cgroup/memory/user/memory.stat":             "inactive_file 1\ntotal_inactive_file 40000\ntotal_active_file 10000\n",
			"sys/fs/cgroup/memory/user/a/memory.limit_in_bytes": "9223372036854771712\n",
		}, 150000},
		{"v1, container: the mount shows a part of the tree", map[string]string{
			"proc/self/cgroup":                           "9:memory:/docker/c0ffee\n",
			"proc/self/mountinfo":                        mountDocker1,
			"sys/fs/cgroup/memory/memory.limit_in_bytes": "600000\n",
			"sys/fs/cgroup/memory/memory.usage_in_bytes": "500000\n",
		}, 100000},
		{"v1 and v2 together", map[string]string{
			"proc/self/cgroup":                             "4:memory:/a\n0::/b\n",
			"proc/self/mountinfo":                          mountV1 + "42 32 0:40 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n",
			"sys/fs/cgroup/memory/a/memory.limit_in_bytes": "500\n",
			"sys/fs/cgroup/memory/a/memory.usage_in_bytes": "100\n",
			"sys/fs/cgroup/unified/b/memory.max":           "9000\n",
			"sys/fs/cgroup/unified/b/memory.current":       "8900\n",
		}, 100},
		{"a space in the path", map[string]string{
			"proc/self/cgroup":           "0::/a\n",
			"proc/self/mountinfo":        "30 23 0:26 / /my\\040groups rw - cgroup2 none rw\n",
			"my groups/a/memory.max":     "70\n",
			"my groups/a/memory.current": "50\n",
		}, 20},
		{"damaged files", map[string]string{
			"proc/self/cgroup":           "nonsense\n0::/a\n",
			"proc/self/mountinfo":        "30 23\n - \n" + mountV2,
			"sys/fs/cgroup/a/memory.max": "many\n",
		}, -1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			free, limited := groupMemory(tree(t, tt.files))
			if limited != (tt.want >= 0) || limited && free != tt.want {
				t.Errorf("%d bytes, limited %t, want %d", free, limited, tt.want)
			}
		})
	}
}

// TestSystemMemory reads proc/meminfo. Swap space does not count.
func TestSystemMemory(t *testing.T) {
	text := "MemTotal:       24683520 kB\nMemFree:  1000 kB\nMemAvailable:   2000 kB\nSwapFree:  5000000 kB\n"
	if n, known := systemMemory(tree(t, map[string]string{"proc/meminfo": text})); n != 2000<<10 || !known {
		t.Errorf("%d bytes, known %t", n, known)
	}
	if _, known := systemMemory(tree(t, map[string]string{"proc/meminfo": "MemTotal: 5 kB\n"})); known {
		t.Error("known without MemAvailable")
	}
}
