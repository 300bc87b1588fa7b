//go:build unix

package gold

import "golang.org/x/sys/unix"

// freeBytes returns how many bytes this user may still write on the volume of a folder.
func freeBytes(dir string) (n int64, known bool) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return 0, false
	}
	return int64(s.Bavail) * int64(s.Bsize), true
}
