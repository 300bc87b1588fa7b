package dedup

// union is a forest of texts: the roots are the first texts of the clusters.
type union []uint32

func newUnion(n int) union {
	u := make(union, n)
	for i := range u {
		u[i] = uint32(i)
	}
	return u
}

// find returns the first text of the cluster of x.
func (u union) find(x uint32) uint32 {
	for u[x] != x {
		u[x] = u[u[x]]
		x = u[x]
	}
	return x
}

// join merges the clusters of x and y.
func (u union) join(x, y uint32) {
	x, y = u.find(x), u.find(y)
	u[max(x, y)] = min(x, y)
}
