// Package lru keeps the values that were used last, up to a sum of costs.
package lru

import "container/list"

// Cache holds values by key. When the sum of their costs is above the limit, those
// that were not used for longest are dropped; the last one always stays. It is not
// safe for concurrent use. The zero Cache is not ready: call New.
type Cache[K comparable, V any] struct {
	limit, cost int64
	drop        func(V)
	recent      list.List // of *entry[K, V], the last used in front
	entries     map[K]*list.Element
}

type entry[K comparable, V any] struct {
	key   K
	value V
	cost  int64
}

// New returns an empty Cache. drop, if it is not nil, is called with every value that
// leaves it.
func New[K comparable, V any](limit int64, drop func(V)) *Cache[K, V] {
	return &Cache[K, V]{limit: limit, drop: drop, entries: make(map[K]*list.Element)}
}

// Get returns a value, which is then the last used.
func (c *Cache[K, V]) Get(key K) (value V, ok bool) {
	e := c.entries[key]
	if e == nil {
		return value, false
	}
	c.recent.MoveToFront(e)
	return e.Value.(*entry[K, V]).value, true
}

// Has reports whether there is a value, without using it.
func (c *Cache[K, V]) Has(key K) bool { return c.entries[key] != nil }

// Add keeps a value under a key that has none, and drops others if that is too much.
func (c *Cache[K, V]) Add(key K, value V, cost int64) {
	c.entries[key] = c.recent.PushFront(&entry[K, V]{key, value, cost})
	for c.cost += cost; c.cost > c.limit && c.recent.Len() > 1; {
		c.remove(c.recent.Back())
	}
}

// Clear drops all values.
func (c *Cache[K, V]) Clear() {
	for c.recent.Len() > 0 {
		c.remove(c.recent.Back())
	}
}

func (c *Cache[K, V]) remove(e *list.Element) {
	old := c.recent.Remove(e).(*entry[K, V])
	delete(c.entries, old.key)
	c.cost -= old.cost
	if c.drop != nil {
		c.drop(old.value)
	}
}
