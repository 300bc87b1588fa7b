package ingest

import (
	"iter"
	"slices"
	"strings"

	"github.com/winnow/winnow/schemas"
)

// names gives every file the shortest of its names (schemas.FileNames) that tells
// it from those whose shortest name is the same: crawls number their files again in
// every folder, and rows are found by what a file is called. URLs are distinct, and
// so are the names.
//
// A file has many names, and a run many files, so only one name of each is held.
func names(urls []string) []string {
	out := make([]string, len(urls))
	for i, u := range urls {
		out[i] = schemas.FileNames(u)[0]
	}
	for group := range equalNames(out) {
		n := 1
		for !apart(urls, group, n) {
			n++
		}
		for _, i := range group {
			out[i] = urls[i]
			if all := schemas.FileNames(urls[i]); n < len(all) {
				out[i] = all[n]
			}
		}
	}
	for group := range equalNames(out) { // names from different groups may be equal
		for _, i := range group {
			out[i] = urls[i]
		}
	}
	return out
}

// equalNames yields the indexes of names that are the same, for each name that occurs several
// times. The caller may change the names that it was given.
func equalNames(names []string) iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		order := make([]int, len(names))
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int { return strings.Compare(names[a], names[b]) })
		for rest := order; len(rest) > 0; {
			n := 1
			for n < len(rest) && names[rest[n]] == names[rest[0]] {
				n++
			}
			group := rest[:n]
			rest = rest[n:]
			if n > 1 && !yield(group) {
				return
			}
		}
	}
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

// apart reports whether the nth names of a group are distinct, or one of its files has
// only n names.
func apart(urls []string, group []int, n int) bool {
	seen := make(map[string]bool, len(group))
	for _, i := range group {
		all := schemas.FileNames(urls[i])
		if n >= len(all) {
			return true
		}
		if seen[all[n]] {
			return false
		}
		seen[all[n]] = true
	}
	return true
}
