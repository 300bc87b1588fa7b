package algorithms

// FeatureOf is a value about one subject that several extractors or scorers read: it is
// computed at most once for each subject, when it is first asked for, into memory that
// is reused. Declare it as a package variable and read it with Of.
type FeatureOf[S subject, T any] struct {
	Name    string
	Doc     string
	Compute func(dst *T, s S) // must overwrite all of dst; may ask for other features
}

type (
	// Feature is a value computed of a page.
	Feature[T any] = FeatureOf[*Pass, T]
	// GoldFeature is a value computed of the gold of a page, for all of its extractions.
	GoldFeature[T any] = FeatureOf[*Gold, T]
	// TrialFeature is a value computed of one extraction, for all scorers.
	TrialFeature[T any] = FeatureOf[*Trial, T]
)

// subject is what features can be computed from.
type subject interface {
	*Pass | *Gold | *Trial
	memory() *memo
}

func (p *Pass) memory() *memo  { return &p.features }
func (g *Gold) memory() *memo  { return &g.features }
func (t *Trial) memory() *memo { return &t.features }

// Of returns the feature of s, valid until s is reset.
func (f *FeatureOf[S, T]) Of(s S) *T {
	m := s.memory()
	v, at, known := recall[T](m, f)
	if !known {
		m.begin()
		f.Compute(v, s)
		m.end(at)
	}
	return v
}
