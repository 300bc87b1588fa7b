//go:build !unix

package gold

// freeBytes is not known on this system, so only Limits.ArchiveBytes bounds an archive.
func freeBytes(string) (n int64, known bool) { return 0, false }
