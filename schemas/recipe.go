package schemas

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Values of Recipe.PackageBy and Recipe.SiteBy.
const (
	ByFile    = "file"
	ByHost    = "host"
	ByDomain  = "domain" // the registrable domain
	ByPackage = "package"
)

// Values of Recipe.Texts besides "", which writes no texts.
const (
	TextsParquet   = "parquet"
	TextsJSONLines = "jsonl"
	TextsWARC      = "warc" // conversion records
	TextsBulk      = "bulk" // see Bulk
)

// Values of Text.Form, and of Recipe.TextForm, where "" means FormText.
const (
	FormText     = "text"
	FormMarkdown = "markdown"
	FormHTML     = "html"
)

// Values of Recipe.Links. LinksOn is the default, which a recipe stores as "". LinksOff leaves
// the addresses of links and images out of texts that are written as Markdown or HTML.
const (
	LinksOn  = "on"
	LinksOff = "off"
)

// TextsFormats and TextForms are what NewTexts takes.
var (
	TextsFormats = []string{TextsParquet, TextsJSONLines, TextsWARC, TextsBulk}
	TextForms    = []string{FormText, FormMarkdown, FormHTML}
)

// Values of Recipe.Timing. TimingSingle is the default, which a recipe stores as "".
const (
	TimingSingle = "single"
	TimingWindow = "window"
)

// Values of Reading.Hidden and Reading.Words. HiddenSkip and WordsScript are the
// defaults, which a Reading stores as "".
const (
	HiddenSkip = "skip" // text that the page hides is never selected
	HiddenShow = "show"

	WordsScript = "script" // each character is a word in scripts that use no spaces
	WordsSpace  = "space"
)

// NewTexts returns the values of Recipe.Texts and Recipe.TextForm for a value that a user
// gave: a format, a form of the text, or both with a comma between them. "none" and ""
// write no texts, and a form alone writes Parquet.
func NewTexts(value string) (format, form string, err error) {
	if value == "none" || value == "" {
		return "", "", nil
	}
	for word := range strings.SplitSeq(value, ",") {
		word = strings.TrimSpace(word)
		switch {
		case slices.Contains(TextsFormats, word) && format == "":
			format = word
		case slices.Contains(TextForms, word) && form == "":
			form = word
		default:
			return "", "", fmt.Errorf("texts %q: want none, or a format (%s), a form of the text (%s) or one of each, such as jsonl,markdown",
				value, strings.Join(TextsFormats, ", "), strings.Join(TextForms, ", "))
		}
	}
	if format == "" {
		format = TextsParquet
	}
	if form == FormText {
		form = ""
	}
	return format, form, nil
}

// Check returns an error for values that do not exist.
func (r Reading) Check() error {
	if r.Hidden != "" {
		if err := oneOf("hidden text", r.Hidden, HiddenSkip, HiddenShow); err != nil {
			return err
		}
	}
	if r.Words != "" {
		return oneOf("words by", r.Words, WordsScript, WordsSpace)
	}
	return nil
}

// NewStatuses returns HTTP statuses as Recipe.Statuses holds them: sorted, without
// duplicates, and nil if 200 is the only one.
func NewStatuses(list []int) ([]int, error) {
	for _, s := range list {
		if s < 100 || s > 999 {
			return nil, fmt.Errorf("HTTP status %d: must have three digits", s)
		}
	}
	list = slices.Compact(slices.Sorted(slices.Values(list)))
	if len(list) == 0 || len(list) == 1 && list[0] == 200 {
		return nil, nil
	}
	return list, nil
}

func oneOf(what, value string, allowed ...string) error {
	if slices.Contains(allowed, value) {
		return nil
	}
	return fmt.Errorf("%s %q: want one of %s", what, value, strings.Join(allowed, ", "))
}

// Recipe is everything that determines the rows that a run writes. Its hash names
// shards, so that output of another recipe is never mistaken for this one's.
type Recipe struct {
	Version    int      `json:"version"`
	Build      string   `json:"build"`      // version of the program
	Extractors []Method `json:"extractors"` // the order is that of the suite
	Scorers    []Method `json:"scorers"`
	Facts      []Fact   `json:"facts,omitempty"`     // the order is that of the suite
	Texts      string   `json:"texts,omitempty"`     // one of the Texts constants; "" writes no texts
	TextForm   string   `json:"text_form,omitempty"` // FormMarkdown or FormHTML; "" means FormText
	TextsBy    []string `json:"texts_by,omitempty"`  // ByLanguage, ByDate, ByPackage: the folders of texts
	Bulk       *Bulk    `json:"bulk,omitempty"`      // settings for TextsBulk
	Links      string   `json:"links,omitempty"`     // LinksOff, or "" to keep addresses in TextForm
	Records    bool     `json:"records,omitempty"`   // records that an index named are copied to the output folder
	Mask       []string `json:"mask,omitempty"`      // what is masked in texts: "email" ...; see package pii
	Keep       string   `json:"keep,omitempty"`      // expression that the texts which are written fulfil; see package keep
	Spans      bool     `json:"spans,omitempty"`     // keep spans in the documents table
	Statuses   []int    `json:"statuses,omitempty"`  // HTTP statuses of responses that are pages; empty means 200 alone
	// Conversions means that conversion records of HTML are pages.
	Conversions bool   `json:"conversions,omitempty"`
	PackageBy   string `json:"package_by"`        // ByFile, ByHost or ByDomain, for pages without a package of their own
	SiteBy      string `json:"site_by,omitempty"` // ByHost, ByDomain or ByPackage: what a site is
	// AgreementPages is the number of pages from which a package has rows of its own
	// in the agreement table of a run of many packages; 0 means the default.
	AgreementPages int     `json:"agreement_pages,omitempty"`
	Reading        Reading `json:"reading,omitzero"`
	Learn          *Learn  `json:"learn,omitempty"`       // nil without site-level extractors
	GoldDigest     string  `json:"gold_digest,omitempty"` // SHA-256 of a side file with gold
	Gold           string  `json:"gold,omitempty"`        // URL of the side file, without user, password and signature
	// GoldPrivate means that the side file is fetched with a user, password or
	// signature: see Run.Access.
	GoldPrivate bool   `json:"gold_private,omitempty"`
	Limits      Limits `json:"limits"`
	// Timing is how extractors are timed: "" measures single executions, TimingWindow
	// repeats an execution until it can be measured. It decides the values of the
	// column extract_ns and of no other.
	Timing string `json:"timing,omitempty"`
}

// Digest returns the hash of a recipe. It is equal for equal recipes, and short enough
// for a file name.
func (r *Recipe) Digest() string {
	data, err := json.Marshal(r) // fields in order, map keys sorted
	if err != nil {
		panic("schemas: recipe: " + err.Error()) // impossible: a recipe holds strings and numbers only
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}

// Method is a chosen extractor or scorer with its settings.
type Method struct {
	Name     string            `json:"name"`               // as in the tables: "lqf-50", "alarte-silva:c=4"
	Base     string            `json:"base"`               // the listed method: "alarte-silva"
	Settings map[string]string `json:"settings,omitempty"` // settings that differ from the published
	Fidelity string            `json:"fidelity"`
	Family   string            `json:"family,omitempty"` // variants of one algorithm share it
	// TrainedOn names the gold test packages that an extractor was trained on
	// (algorithms.Extractor.AllTrainedOn).
	TrainedOn []string `json:"trained_on,omitempty"`
	// Commands are the programs that run for an extractor, by the name of the extractor that
	// each implements: the extractor itself, or one of its members.
	Commands map[string]string `json:"commands,omitempty"`
	// Bound means that an extractor reads the gold (algorithms.Extractor.Oracle): its scores
	// are upper bounds, which have no rank.
	Bound bool `json:"bound,omitempty"`
	// Mean is the package figure that a scorer's source publishes
	// (algorithms.Mean); empty for extractors.
	Mean  string  `json:"mean,omitempty"`
	Top   float64 `json:"top,omitempty"`   // largest value of a scorer that is not an F1; 0 means 1
	Lower bool    `json:"lower,omitempty"` // smaller values are better
}

// DefaultScorer is the scorer that ranks extractors and is shown first where no other one
// is asked for.
const DefaultScorer = "vec"

// ScorersToShow returns the scorers in the order in which they are shown: DefaultScorer,
// and the others as the recipe has them.
func (r *Recipe) ScorersToShow() []Method {
	list := slices.Clone(r.Scorers)
	if i := slices.IndexFunc(list, func(m Method) bool { return m.Name == DefaultScorer }); i > 0 {
		list = slices.Insert(slices.Delete(list, i, i+1), 0, r.Scorers[i])
	}
	return list
}

// DefaultScorer returns the first of ScorersToShow, the zero Method if there are none.
func (r *Recipe) DefaultScorer() Method {
	if list := r.ScorersToShow(); len(list) > 0 {
		return list[0]
	}
	return Method{}
}

// Bound reports whether an extractor of the recipe is a bound (Method.Bound).
func (r *Recipe) Bound(extractor string) bool {
	return slices.ContainsFunc(r.Extractors, func(m Method) bool { return m.Name == extractor && m.Bound })
}

// TrainedOn reports whether an extractor of the recipe was trained on pages of a package,
// given by its name in the tables: NAME, or "NAME in FILE" where several files
// have packages.
func (r *Recipe) TrainedOn(extractor, pkg string) bool {
	return slices.ContainsFunc(r.Extractors, func(m Method) bool {
		return m.Name == extractor && slices.ContainsFunc(m.TrainedOn, func(name string) bool {
			return pkg == name || strings.HasPrefix(pkg, name+" in ")
		})
	})
}

// Reading describes how pages are read where the publications of the methods differ. The zero
// Reading is the default of the specification.
type Reading struct {
	// Hidden is "" if text that the page hides is never selected and never counted, and
	// HiddenShow if it is treated like any other text.
	Hidden string `json:"hidden,omitempty"`
	// Words is "" if each character is a word in scripts that are written without
	// spaces, and WordsSpace if only spaces separate words.
	Words string `json:"words,omitempty"`
}

// Learn holds what determines a site's templates besides its pages.
type Learn struct {
	Sites string `json:"sites"` // version of the list of public suffixes, and of the sample
	// Templates is the output folder of an earlier run. Its templates are used if they
	// are not older than MaxAge and come from the same methods and settings.
	Templates string        `json:"templates,omitempty"`
	Digest    string        `json:"digest,omitempty"` // digest of that folder's index
	MaxAge    time.Duration `json:"max_age,omitempty"`
	// Agents are the robots whose rules in robots.txt are found for each page, in lower case
	// and in order. Without them no files of hosts are read.
	Agents []string `json:"agents,omitempty"`
}

// Limits bound what one record, page or method may cost. Zero means default.
type Limits struct {
	BlockBytes   int64         `json:"block_bytes,omitempty"`   // size of a record kept in memory
	PayloadBytes int64         `json:"payload_bytes,omitempty"` // size of a decoded HTML document
	UnitBytes    int64         `json:"unit_bytes,omitempty"`    // inflated from one compressed unit
	PageNodes    int64         `json:"page_nodes,omitempty"`    // nodes of a page's tree; its source may have twice as many tags and runs of text
	PageText     int64         `json:"page_text,omitempty"`     // bytes of a page's text, without scripts and styles
	PageTime     time.Duration `json:"page_time,omitempty"`     // time of one program on one page
	MethodTime   time.Duration `json:"method_time,omitempty"`   // time of one scorer, or one extractor that is not a program, on one page; far above what any takes
	TextsFile    int64         `json:"texts_file,omitempty"`    // size of the texts in one file, before compression; a longer text has a file of its own
	ScoreBytes   int64         `json:"score_bytes,omitempty"`   // size of a text, gold or extracted, that is scored
	EarlierPages int64         `json:"earlier_pages,omitempty"` // pages of earlier runs in Run.Captures
}
