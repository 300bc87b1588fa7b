package process

import (
	"fmt"
	"os"
	"strings"
)

// maxTree bounds the processes of an extractor whose memory is added up.
const maxTree = 100

// memoryOf returns the resident memory of a process and of those that it has started, in
// bytes. Processes that have ended count nothing.
func memoryOf(pid int) (bytes int64) {
	tree := []string{fmt.Sprint(pid)}
	for i := 0; i < len(tree) && i < maxTree; i++ {
		var pages, resident int64
		statm, _ := os.ReadFile("/proc/" + tree[i] + "/statm")
		fmt.Sscan(string(statm), &pages, &resident)
		bytes += resident * int64(os.Getpagesize())
		threads, _ := os.ReadDir("/proc/" + tree[i] + "/task")
		for _, thread := range threads {
			children, _ := os.ReadFile("/proc/" + tree[i] + "/task/" + thread.Name() + "/children")
			tree = append(tree, strings.Fields(string(children))...)
		}
	}
	return bytes
}
