package ingest

import "github.com/winnow/winnow/schemas"

// names gives every file the shortest of its names (schemas.FileNames) that tells
// it from those whose shortest name is the same: crawls number their files anew in
// every folder, and rows are found by what a file is called. URLs are distinct, and
// so are the names.
func names(urls []string) []string {
	all := make([][]string, len(urls))
	alike := map[string][]int{} // by shortest name
	for i, u := range urls {
		all[i] = schemas.FileNames(u)
		alike[all[i][0]] = append(alike[all[i][0]], i)
	}
	out := make([]string, len(urls))
	times := map[string]int{}
	for _, group := range alike {
		n := 0
		for !apart(all, group, n) {
			n++
		}
		for _, i := range group {
			out[i] = urls[i]
			if n < len(all[i]) {
				out[i] = all[i][n]
			}
			times[out[i]]++
		}
	}
	for i := range out {
		if times[out[i]] > 1 { // with one of another group
			out[i] = urls[i]
		}
	}
	return out
}

// among returns the names that some of the URLs have among all of them.
func among(all, some []string) []string {
	by := make(map[string]string, len(all))
	for i, name := range names(all) {
		by[all[i]] = name
	}
	out := make([]string, len(some))
	for i, u := range some {
		out[i] = by[u]
	}
	return out
}

// apart says whether the nth names of a group are distinct, or one of its files has
// only n names.
func apart(all [][]string, group []int, n int) bool {
	seen := make(map[string]bool, len(group))
	for _, i := range group {
		if n >= len(all[i]) {
			return true
		}
		if seen[all[i][n]] {
			return false
		}
		seen[all[i][n]] = true
	}
	return true
}
