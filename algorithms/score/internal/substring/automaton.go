package substring

// automaton is the suffix automaton of a sequence of item numbers (Blumer et al.
// 1985): the smallest automaton that reads every substring of it. With it the
// longest substring that another sequence shares is found in one pass over that
// other sequence, however long the first is and however often it repeats itself.
//
//	states  at most 2n: length of the longest substring, suffix link, first
//	        edge, an end: the substrings of a state all end there
//	edges   at most 3n, a linked list for each state: symbol, target, next
//	root    the edges of the first state, in a table by symbol
//
// It takes up to 88 bytes an item. The zero automaton is that of the empty
// sequence. It is read-only once built.
type automaton struct {
	items  []int32
	whole  []int32 // by length: the state of that prefix of items
	states []state
	edges  []edge
	root   []int32 // by symbol; 0 for none, as no edge leads to the first state
}

type state struct {
	length int32 // length of the longest substring that ends here
	link   int32 // state of its longest suffix with other ends; -1 for the first
	first  int32 // edge, 0 for none
	end    int32 // its substrings are items[end-length:end] and the shorter ones
}

type edge struct{ symbol, target, next int32 }

// keepEdges is how much memory of a large page is kept for the next one: beyond
// it edges for a page eight times as long are given back.
const keepEdges = 16 << 20 / 12

// Build makes a the automaton of items, which are 0 ≤ id < symbols. The slice is
// kept and must not change while a is in use. Memory of an earlier build is used
// again.
func (a *automaton) Build(items []int32, symbols int) {
	if cap(a.edges) > keepEdges && cap(a.edges)/8 > 3*len(items) {
		*a = automaton{}
	}
	a.items = items
	if cap(a.states) < 2*len(items)+2 {
		a.states = make([]state, 0, 2*len(items)+2)
		a.whole = make([]int32, 0, len(items)+1)
	}
	a.states = append(a.states[:0], state{link: -1})
	a.edges = append(a.edges[:0], edge{}) // edge 0 means none
	if cap(a.root) < symbols {
		a.root = make([]int32, symbols)
	}
	a.root = a.root[:symbols]
	clear(a.root)

	last := int32(0)
	a.whole = append(a.whole[:0], last)
	for i, c := range items {
		last = a.extend(last, c, int32(i+1))
		a.whole = append(a.whole, last)
	}
}

// extend adds item c after the substrings that end in last, the longest of
// which has length-1 items, and returns the state of the whole.
func (a *automaton) extend(last, c, length int32) int32 {
	now := a.add(state{length: length, end: length})
	p := last
	for p >= 0 && a.connect(p, c, now) {
		p = a.states[p].link
	}
	if p < 0 {
		return now // c has not occurred before, so its link is the first state
	}
	q := a.next(p, c)
	if a.states[p].length+1 == a.states[q].length {
		a.states[now].link = q
		return now
	}
	// The substrings of q with at most p's length + 1 items now have ends that the
	// longer ones do not have, so they get a state of their own.
	clone := a.add(state{length: a.states[p].length + 1, link: a.states[q].link, end: a.states[q].end})
	for e := a.states[q].first; e != 0; e = a.edges[e].next {
		a.edges = append(a.edges, edge{a.edges[e].symbol, a.edges[e].target, a.states[clone].first})
		a.states[clone].first = int32(len(a.edges) - 1)
	}
	a.states[q].link, a.states[now].link = clone, clone
	for p >= 0 && a.redirect(p, c, q, clone) {
		p = a.states[p].link
	}
	return now
}

func (a *automaton) add(s state) int32 {
	a.states = append(a.states, s)
	return int32(len(a.states) - 1)
}

// next returns the state that p goes to with c, or 0 if it has no such edge.
func (a *automaton) next(p, c int32) int32 {
	if p == 0 {
		return a.root[c]
	}
	for e := a.states[p].first; e != 0; e = a.edges[e].next {
		if a.edges[e].symbol == c {
			return a.edges[e].target
		}
	}
	return 0
}

// connect adds an edge from p to target and reports whether there was none.
func (a *automaton) connect(p, c, target int32) bool {
	if p == 0 {
		if a.root[c] != 0 {
			return false
		}
		a.root[c] = target
		return true
	}
	if a.next(p, c) != 0 {
		return false
	}
	a.edges = append(a.edges, edge{c, target, a.states[p].first})
	a.states[p].first = int32(len(a.edges) - 1)
	return true
}

// redirect changes the target of p's edge for c from one state to another. It reports
// whether the edge led to the first.
func (a *automaton) redirect(p, c, from, to int32) bool {
	if p == 0 {
		if a.root[c] != from {
			return false
		}
		a.root[c] = to
		return true
	}
	for e := a.states[p].first; e != 0; e = a.edges[e].next {
		if a.edges[e].symbol == c {
			if a.edges[e].target != from {
				return false
			}
			a.edges[e].target = to
			return true
		}
	}
	return false
}

// worthAlong is the length of a run from which comparing with the gold is faster than
// following edges.
const worthAlong = 12

// Longest returns the length of the longest substring that items shares with the
// sequence of a. Items outside the symbols match nothing.
//
// It reads items once from the front, and items near a run at most twice. Where items
// are equal to the sequence they are compared with it directly, and edges are followed
// only where the two differ.
func (a *automaton) Longest(items []int32) int {
	best := 0
	// The length items before position i are a substring that a reads, and with one
	// more item before them they are not. They lead to the state at.
	length, at := 0, int32(0)
	for i := 0; i < len(items); {
		to := a.read(at, items[i])
		for to == 0 && at != 0 {
			at = a.states[at].link
			length = int(a.states[at].length)
			to = a.read(at, items[i])
		}
		i++
		if at = to; at == 0 {
			length = 0
			continue
		}
		length++
		// Both sequences are equal here, so a reads what is read next.
		end := int(a.states[at].end)
		if run := commonPrefix(a.items[end:], items[i:]); run >= worthAlong {
			at = a.along(at, length, items[i:i+run], end+run)
			i += run
			length += run
		}
		best = max(best, length)
	}
	return best
}

// read is like next for an item that may be outside of the symbols.
func (a *automaton) read(p, c int32) int32 {
	if uint32(c) >= uint32(len(a.root)) {
		return 0
	}
	return a.next(p, c)
}

// along returns the state that at, reached by length items, goes to with run; end is an
// end of the result. It climbs from the state of the whole prefix, or follows the edges
// one by one where that is shorter. It never takes more than two steps an item.
func (a *automaton) along(at int32, length int, run []int32, end int) int32 {
	length += len(run)
	up := a.whole[end]
	for range len(run) + 1 {
		link := a.states[up].link
		if link < 0 || int(a.states[link].length) < length {
			return up
		}
		up = link
	}
	for _, c := range run {
		at = a.next(at, c)
	}
	return at
}
