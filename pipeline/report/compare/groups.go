package compare

// part divides matrices and pages of packages into those of their groups. An extractor
// without any score in a group is unranked there, as in a package.
func part(tables map[tableKey]*gathered, documents map[pagesKey]*pages) (map[tableKey]*gathered, map[pagesKey]*pages) {
	parts := map[pagesKey]*pages{}
	places := map[pagesKey][]int{} // indices of the group's documents in the package
	for key, p := range documents {
		for at, group := range p.group {
			key.group = group
			if parts[key] == nil {
				parts[key] = new(pages)
			}
			parts[key].ids = append(parts[key].ids, p.ids[at])
			parts[key].site = append(parts[key].site, p.site[at])
			places[key] = append(places[key], at)
		}
	}
	groups := map[tableKey]*gathered{}
	for key, t := range tables {
		for of, at := range places {
			if of.pkg != key.pkg {
				continue
			}
			g := &gathered{pkg: t.pkg, scorer: t.scorer, lower: t.lower, mean: t.mean, extractors: append([]string(nil), t.extractors...)}
			whole := t.matrices()
			for i, matrix := range g.matrices() {
				for _, row := range *whole[i] {
					*matrix = append(*matrix, pick(row, at))
				}
			}
			key.group = of.group
			groups[key] = g
		}
	}
	return groups, parts
}
