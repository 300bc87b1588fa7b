package answers

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Digest identifies the content of a recording: its bytes as they are, or the names and the
// bytes of a folder's files.
func Digest(name string) (string, error) {
	h := sha256.New()
	err := filepath.WalkDir(name, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		file, err := os.Open(path)
		if err != nil {
			return err
		}
		defer file.Close()
		if path != name {
			inside, err := filepath.Rel(name, path)
			if err != nil {
				return err
			}
			info, err := file.Stat()
			if err != nil {
				return err
			}
			fmt.Fprintf(h, "%q %d\n", filepath.ToSlash(inside), info.Size())
		}
		_, err = io.Copy(h, file)
		return err
	})
	return hex.EncodeToString(h.Sum(nil)[:16]), err
}
