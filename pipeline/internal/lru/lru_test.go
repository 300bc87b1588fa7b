package lru

import (
	"slices"
	"testing"
)

func TestCacheDropsWhatWasUsedLongestAgo(t *testing.T) {
	var dropped []string
	c := New[string, string](10, func(v string) { dropped = append(dropped, v) })
	c.Add("a", "A", 4)
	c.Add("b", "B", 4)
	if v, ok := c.Get("a"); !ok || v != "A" {
		t.Fatalf("a: %q, %v", v, ok)
	}
	c.Add("c", "C", 4) // 12 of 10: b was used longest ago
	if c.Has("b") || !c.Has("a") || !c.Has("c") || !slices.Equal(dropped, []string{"B"}) {
		t.Errorf("dropped %v", dropped)
	}
	c.Add("d", "D", 50) // more than all: it stays alone
	if !c.Has("d") || !slices.Equal(dropped, []string{"B", "A", "C"}) {
		t.Errorf("dropped %v", dropped)
	}
	c.Clear()
	if _, ok := c.Get("d"); ok || len(dropped) != 4 {
		t.Errorf("dropped %v", dropped)
	}
	c.Add("e", "E", 10)
	c.Add("f", "F", 0)
	if !c.Has("e") || !c.Has("f") {
		t.Error("costs of dropped values are still counted")
	}
}
