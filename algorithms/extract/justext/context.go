package justext

// classifyContextFree gives every paragraph its context-free class by the first rule that
// applies.
func (w *working) classifyContextFree(params *Params) {
	for i := range w.paragraphs {
		g := &w.paragraphs[i]
		density := 0.0
		if g.words > 0 {
			density = float64(g.stops) / float64(g.words)
		}
		switch {
		case float64(g.linkChars) > params.MaxLinkDensity*float64(g.chars), g.copyright:
			g.alone = bad
		case g.chars < params.LengthLow && g.linkChars > 0:
			g.alone = bad
		case g.chars < params.LengthLow:
			g.alone = short
		case density >= params.StopHigh && g.chars > params.LengthHigh:
			g.alone = good
		case density >= params.StopHigh, density >= params.StopLow:
			g.alone = nearGood
		default:
			g.alone = bad
		}
		g.class = g.alone
	}
}

// classifyInContext decides the doubtful paragraphs by their neighbours.
func (w *working) classifyInContext(params *Params) {
	if params.Headings {
		w.saveHeadings(params.MaxHeadDistance, short, nearGood)
	}
	w.decideShort()
	w.decideNearGood()
	if params.Headings {
		w.saveHeadings(params.MaxHeadDistance, bad, good)
	}
}

// saveHeadings turns headings of one class into another if a good paragraph begins
// within distance characters after them. A heading that is bad by its own properties
// stays bad.
func (w *working) saveHeadings(distance int, from, to class) {
	for i := range w.paragraphs {
		g := &w.paragraphs[i]
		if !g.heading || g.class != from || g.alone == bad {
			continue
		}
		// Every paragraph has at least one character, so this visits at most distance+1
		// paragraphs.
		for j, passed := i+1, 0; j < len(w.paragraphs) && passed <= distance; j++ {
			if w.paragraphs[j].class == good {
				g.class = to
				break
			}
			passed += w.paragraphs[j].chars
		}
	}
}

// decideShort decides all short paragraphs by the classes before this step. Between two
// good ones they are good, and between two bad ones bad. Otherwise they are good only
// if the nearest paragraph on the bad side that is not short is near-good.
func (w *working) decideShort() {
	n := len(w.paragraphs)
	// For every paragraph these are the class of the next one that is good or bad
	// ("strong") and of the next one that is not short ("firm"). After the last
	// paragraph the class is bad.
	w.nextStrong = grow(w.nextStrong, n)
	w.nextFirm = grow(w.nextFirm, n)
	strong, firm := bad, bad
	for i := n - 1; i >= 0; i-- {
		w.nextStrong[i], w.nextFirm[i] = strong, firm
		switch c := w.paragraphs[i].class; c {
		case good, bad:
			strong, firm = c, c
		case nearGood:
			firm = c
		}
	}
	strong, firm = bad, bad
	for i := range w.paragraphs {
		g := &w.paragraphs[i]
		switch g.class {
		case good, bad:
			strong, firm = g.class, g.class
		case nearGood:
			firm = nearGood
		case short:
			switch next := w.nextStrong[i]; {
			case strong == next:
				g.class = strong
			case strong == bad && firm == nearGood, next == bad && w.nextFirm[i] == nearGood:
				g.class = good
			default:
				g.class = bad
			}
			// strong and firm stay unchanged, because the decision must not influence
			// the next one.
		}
	}
}

// decideNearGood decides near-good paragraphs from left to right, each seeing
// the decisions before it: bad only between two bad ones.
func (w *working) decideNearGood() {
	n := len(w.paragraphs)
	next := bad
	for i := n - 1; i >= 0; i-- {
		w.nextStrong[i] = next
		if c := w.paragraphs[i].class; c == good || c == bad {
			next = c
		}
	}
	before := bad
	for i := range w.paragraphs {
		g := &w.paragraphs[i]
		if g.class == nearGood {
			g.class = good
			if before == bad && w.nextStrong[i] == bad {
				g.class = bad
			}
		}
		before = g.class
	}
}

// grow returns s with n elements of any value.
func grow(s []class, n int) []class {
	if cap(s) < n {
		return make([]class, n, n+n/4)
	}
	return s[:n]
}
