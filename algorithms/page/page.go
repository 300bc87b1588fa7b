package page

// Options bound what a document may cost. The zero Options are the defaults.
type Options struct {
	MaxDepth int // levels of elements; default 512
	// MaxNodes bounds the nodes of the tree, and at twice as many the lexical items
	// and the attributes, each; default DefaultNodes, never more than 4096 + len(source).
	MaxNodes int
	// MaxText bounds the bytes of text, as the source has it, but for that of
	// elements that Body leaves out, such as script; default DefaultText.
	MaxText  int
	MaxAttrs int // attributes of one element; default 1000

	Words WordMode // what counts as a word
	// ShowHidden takes hidden text for visible: no row is flagged Hidden.
	ShowHidden bool
}

// The defaults bound the memory of a page: every column has an entry a node, an
// item, a word or a byte of text. They are some ten times what the largest pages of
// real crawls have that were seen.
const (
	DefaultNodes = 1 << 20
	DefaultText  = 4 << 20
)

// withDefaults replaces zeros by the defaults.
func (o Options) withDefaults() Options {
	if o.MaxDepth <= 0 {
		o.MaxDepth = 512
	}
	if o.MaxNodes <= 0 {
		o.MaxNodes = DefaultNodes
	}
	if o.MaxText <= 0 {
		o.MaxText = DefaultText
	}
	if o.MaxAttrs <= 0 {
		o.MaxAttrs = 1000
	}
	return o
}

// Cut says which bounds a document met. A page that was cut is still a page:
// what lies beyond the bound is left out.
type Cut uint8

const (
	CutDepth  Cut = 1 << iota // start tags nested deeper than MaxDepth were ignored
	CutNodes                  // the document ends at MaxNodes nodes, or twice as many items or attributes
	CutText                   // the document ends at MaxText bytes of text
	CutAttrs                  // attributes beyond MaxAttrs were ignored
	CutSource                 // the document ends at 512 MiB, the bound of positions
)

// Page is one parsed document. See the package comment.
type Page struct {
	Source []byte // the UTF-8 document given to Parse; not copied
	Tree   Tree
	Lex    Lex
	Cut    Cut

	opt     Options
	names   names
	builder builder

	body        Body
	bodyReady   bool
	whole       Body
	wholeReady  bool
	tokens      Tokens
	tokensReady bool
	title       []byte
}

// reset forgets the document before src and keeps its memory.
func (p *Page) reset(src []byte, opt Options) {
	p.Source, p.Cut, p.opt = src, 0, opt.withDefaults()
	p.names.reset()
	p.bodyReady, p.wholeReady, p.tokensReady = false, false, false
}

// Body returns the node table of p, computed on first use.
func (p *Page) Body() *Body {
	if !p.bodyReady {
		p.body.fill(p, false)
		p.bodyReady = true
	}
	return &p.body
}

// Whole returns a second node table of p, computed on first use, for methods that
// judge what Body leaves out: the content of noscript, as that of a block
// element, is in it, and hidden rows, though flagged, are in C, W and the sums of
// linked characters and words. Selections are of Body, not of this table; a row of
// both tables has the same Node.
//
// Where there is nothing of the kind it is Body itself.
func (p *Page) Whole() *Body {
	if b := p.Body(); b.HT[b.Len()] == 0 && !p.hasNoscript() {
		return b
	}
	if !p.wholeReady {
		p.whole.fill(p, true)
		p.wholeReady = true
	}
	return &p.whole
}

// hasNoscript says whether there is a noscript element in the body.
func (p *Page) hasNoscript() bool {
	body := p.root(TagBody)
	return body != 0 && p.find(TagNoscript, body, p.Tree.End[body]) != 0
}

// Tokens returns the token stream of p, computed on first use.
func (p *Page) Tokens() *Tokens {
	if !p.tokensReady {
		p.tokens.fill(p)
		p.tokensReady = true
	}
	return &p.tokens
}
