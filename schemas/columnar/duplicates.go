package columnar

import "github.com/winnow/winnow/schemas"

// Duplicates has a row for each text that has near-duplicates. The command dedup writes it.
var Duplicates = &Table[schemas.Duplicate]{schemas.TableDuplicates, []column[schemas.Duplicate]{
	text("run", func(r *schemas.Duplicate) *string { return &r.Run }).
		means("Identifier of the run that the text comes from."),
	text("package", func(r *schemas.Duplicate) *string { return &r.Package }).
		means("Package that statistics are reported for: a gold package, a file, a host or a registered domain."),
	text("doc_id", func(r *schemas.Duplicate) *string { return &r.DocID }).
		means("Identifier of the page within its package: the gold's, or the file name, offset and ordinal of its record."),
	text("url", func(r *schemas.Duplicate) *string { return &r.URL }).
		means("Address of the page as its record states it."),
	text("extractor", func(r *schemas.Duplicate) *string { return &r.Extractor }).
		means("Name of the extractor, with its settings where they are not the default. Only texts of one extractor are compared."),
	int64s("cluster", func(r *schemas.Duplicate) *int64 { return &r.Cluster }).
		means("Number of the cluster of near-duplicates within this file, from 1."),
	int64s("cluster_size", func(r *schemas.Duplicate) *int64 { return &r.ClusterSize }).
		means("Texts in the cluster, at least 2. Texts that are in no cluster have no row.").in("texts"),
	bools("kept", func(r *schemas.Duplicate) *bool { return &r.Kept }).
		means("The text is the first of its cluster, in the order of the runs and of their rows, so the one to keep."),
	shares("jaccard", func(r *schemas.Duplicate) *float64 { return &r.Jaccard }, func(r *schemas.Duplicate) bool { return r.Kept }).
		means("Jaccard similarity of the text with the one that is kept, over shingles of five words: estimated by MinHash, or exact with `--exact`. It may be below the threshold where texts between the two connect them.").in("share, 0 to 1").nullWhen("`kept`"),
}}
