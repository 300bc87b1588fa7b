// Package request holds the flags that several programs share: those that describe a
// run, which "winnow run" and "ingest" have in common, and those that name a broker.
// No configuration file describes a run. Environment variables (WINNOW_EXTRACTORS and
// so on) serve instead, as in the manifests of deploy/k8s.
package request

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/choose"
	"github.com/winnow/winnow/algorithms/fact"
	"github.com/winnow/winnow/algorithms/fact/pii"
	"github.com/winnow/winnow/algorithms/suite"
	"github.com/winnow/winnow/pipeline/blob"
	"github.com/winnow/winnow/pipeline/ingest"
	"github.com/winnow/winnow/pipeline/learn/robots"
	"github.com/winnow/winnow/pipeline/learn/template"
	"github.com/winnow/winnow/pipeline/queue"
	"github.com/winnow/winnow/pipeline/recipe"
	"github.com/winnow/winnow/pipeline/recipe/keep"
	"github.com/winnow/winnow/pipeline/service"
	"github.com/winnow/winnow/pipeline/source"
	"github.com/winnow/winnow/schemas"
)

// Run holds the flags that describe a run.
type Run struct {
	ID, Out                        string
	For                            string
	Selecting                      Selecting
	Extractors, Scorers, Facts     string
	Programs                       Programs
	Mask                           []string
	Keep                           string
	RespectOptOut                  bool
	Robots                         []string
	Gold, Texts, PackageBy, SiteBy string
	TextsBy                        string
	Bulk                           Bulk
	Links                          string
	AgreementPages                 int
	Reading                        Reading
	ItemSize, Timing               string
	Limits                         schemas.Limits
	Statuses                       []int
	Spans, KeepGoing, Trust        bool
	Records                        bool
	OnlyNew                        []string
	Share                          string
	RetryFailed                    string
	Reach                          Reach
	Templates                      string
	TemplatesMaxAge                time.Duration

	own *pflag.FlagSet // the flags of a run alone
}

// Register adds the flags to a command.
func (r *Run) Register(f *pflag.FlagSet) {
	r.own = pflag.NewFlagSet("run", pflag.ContinueOnError)
	r.own.SortFlags, f.SortFlags = false, false
	r.register(r.own)
	f.AddFlagSet(r.own)
}

// settles reports whether a flag of a run is not part of its recipe: it names the run, or
// says which inputs are read and from where, or where extractors are.
func settles(flag string) bool {
	switch flag {
	case "run", "out", "base", "item-size", "keep-going", "only-new", "share", "retry-failed", "trust-names", "list-may-leave", "redirects-may-leave", "select", "where", "extractor-command":
		return true
	}
	return false
}

// Recipe returns the flags of the recipe that were given, by the command line or by the
// environment, such as "--extractors".
func (r *Run) Recipe() (given []string) {
	r.own.VisitAll(func(f *pflag.Flag) {
		if f.Changed && !settles(f.Name) {
			given = append(given, "--"+f.Name)
		}
	})
	return given
}

// Describes reports whether a flag describes a run, and is not about the program that
// carries it out.
func (r *Run) Describes(flag string) bool {
	return flag != "redirects-may-leave" && flag != "extractor-command" && r.own.Lookup(flag) != nil
}

// RegisterLinks adds the flag --links.
func RegisterLinks(f *pflag.FlagSet, links *string) {
	RegisterChoice(f, links, "links", schemas.LinksOn, "on, or off: leave the addresses of links and images out of Markdown and HTML; the text of a link stays", schemas.LinksOn, schemas.LinksOff)
}

func (r *Run) register(f *pflag.FlagSet) {
	service.Group(f, "What to run", func(f *pflag.FlagSet) {
		r.registerFor(f)
		f.StringVar(&r.Extractors, "extractors", "winnow,plain", "names separated by commas, or all, page, site: see 'winnow extractors'")
		f.StringVar(&r.Scorers, "scorers", "all", "names separated by commas, or all, none; pages without gold are not scored: see 'winnow scorers'")
		f.StringVar(&r.Facts, "facts", "default", "names separated by commas, or all, none, default (those of little cost): see 'winnow facts'")
	})
	r.Programs.Register(f)
	service.Rare(f, "What to run", func(f *pflag.FlagSet) {
		f.StringVar(&r.Templates, "templates", "", "output `folder` of an earlier run: its site templates are used again, and only missing ones learned")
		f.DurationVar(&r.TemplatesMaxAge, "templates-max-age", 0, "with --templates: learn again what is older, such as 720h (default any age)")
		RegisterChoice(f, &r.SiteBy, "site-by", schemas.ByHost, "what a site is: host, domain or package", schemas.ByHost, schemas.ByDomain, schemas.ByPackage)
		RegisterChoice(f, &r.Timing, "timing", schemas.TimingSingle, "how extract_ns is measured: single, by the execution that makes the answer, or window, by repeating each until its time is steady (11 to 101 times the work)", schemas.TimingSingle, schemas.TimingWindow)
	})
	service.Group(f, "Input", func(f *pflag.FlagSet) {
		f.StringVar(&r.Gold, "gold", "", "JSON lines `file` with gold by URL, for pages that bring none")
		f.StringArrayVar(&r.OnlyNew, "only-new", nil, "output `folder` of a finished run, or a folder of such folders: leave out the inputs that a run there has done, by URL, size and etag or time of change; may be repeated")
		f.StringVar(&r.RetryFailed, "retry-failed", "", "output `folder` of a finished run: do again what it gave up, and nothing else, with its settings and without INPUT")
		f.BoolVar(&r.KeepGoing, "keep-going", false, "list input files that are missing or cannot be read as failures, instead of stopping before the work begins; a folder without archives is no error")
	})
	service.Rare(f, "Input", func(f *pflag.FlagSet) {
		f.StringVar(&r.ItemSize, "item-size", "", "`size` of the pieces that files are cut into, such as 64MiB")
		f.StringVar(&r.Share, "share", "", "`i/n`: read only the i-th of n parts of the input, which is every n-th file; each part is a run of its own, with its own --run and --out")
		f.BoolVar(&r.Trust, "trust-names", false, "plan by file names alone, without a look at each file's first bytes")
	})
	r.Reach.RegisterLists(f)
	r.Reach.Register(f)
	r.Selecting.Register(f)
	service.Group(f, "Selection", func(f *pflag.FlagSet) {
		f.StringVar(&r.Keep, "keep", "", "write only texts for which this `expression` over the columns of pages and documents is true, such as 'language = \"de\" and gopher'; rows of other texts stay in the tables (kept = false), and facts that it reads are found (see docs/reference/facts.md)")
		f.BoolVar(&r.RespectOptOut, "respect-optout", false, "do not write texts of pages whose robots directives for all or reservation of rights are against it: --keep '"+keep.RespectOptOut+"'")
		f.StringSliceVar(&r.Robots, "robots", nil, "`names` of robots, separated by commas, such as GPTBot,CCBot, or * for any: read robots.txt and tdmrep.json of the hosts from the input first, and find which of the robots may fetch a page (see docs/reference/rights.md); --respect-optout then leaves out texts of pages that one of them may not fetch")
	})
	service.Rare(f, "Selection", func(f *pflag.FlagSet) {
		f.IntSliceVar(&r.Statuses, "status", []int{200}, "HTTP statuses of the responses that are pages, such as 200,404")
	})
	service.Group(f, "Output", func(f *pflag.FlagSet) {
		f.StringVar(&r.Out, "out", "", "output `folder`: a path, or an s3, gs or azblob URL (default winnow-ID)")
		f.StringVar(&r.ID, "run", "", "`id` of the run; the same id goes on with an unfinished run (default the time and six random letters or digits)")
		f.StringVar(&r.Texts, "texts", "none", "write the extracted texts: none, parquet, jsonl (JSON lines, zstd), bulk (the same for a search engine: --bulk) or warc (conversion records); and their form: text, markdown or html, such as jsonl,markdown")
	})
	service.Rare(f, "Output", func(f *pflag.FlagSet) {
		f.StringVar(&r.TextsBy, "texts-by", "", "folders of texts, separated by commas: language, date (the month) and package, such as language,date for texts/language=de/date=2026-11/")
		r.Bulk.Register(f)
		RegisterLinks(f, &r.Links)
		f.StringSliceVar(&r.Mask, "mask", nil, "replace these in the texts that are written: "+strings.Join(pii.Names, ", ")+"; the columns are of the text as it was found (see 'winnow facts': pii)")
		f.BoolVar(&r.Records, "records", false, "copy the records that an index names, unchanged, to archives in the folder records, each with its index (CDXJ)")
		f.BoolVar(&r.Spans, "spans", false, "write where in the page each text lies (documents.spans)")
		RegisterChoice(f, &r.PackageBy, "package-by", schemas.ByFile, "group pages that have no package of their own by file, host or domain", schemas.ByFile, schemas.ByHost, schemas.ByDomain)
		RegisterCount(f, &r.AgreementPages, "agreement-pages", schemas.AgreementPages, "in a run of more than 1000 packages, those with fewer `pages` are one package (small) in agreement.parquet; 1 keeps all apart")
	})
	r.Reading.Register(f)
	service.Rare(f, "Limits", func(f *pflag.FlagSet) { registerLimits(f, &r.Limits) })
}

// Fill sets flags that were left out: those of the preset of --for, the id, which is made from
// the time, and the folder, which is made from the id.
func (r *Run) Fill(now time.Time) {
	r.fillPreset()
	if r.ID == "" {
		// Ids sort by time. The letters and digits that follow tell runs apart that are begun
		// within one second, which would otherwise take each other for the same run.
		r.ID = now.UTC().Format("20060102-150405") + "-" + strings.ToLower(rand.Text()[:6])
	}
	if r.Out == "" {
		r.Out = "winnow-" + r.ID
	}
}

// Options turns the flags into the options of a plan. A mistake in them is a
// service.UsageError; a gold file that cannot be read is not.
func (r *Run) Options(ctx context.Context, blobs *blob.Client, inputs []string) (ingest.Options, error) {
	o := ingest.Options{
		Run: schemas.RunID(r.ID), Inputs: inputs, Base: r.Selecting.Base, Out: r.Out,
		ListMayLeave: r.Reach.Lists, KeepGoing: r.KeepGoing, OnlyNew: r.OnlyNew, Trust: r.Trust,
		Recipe: schemas.Recipe{
			Version: schemas.Version, Build: service.Version(),
			Spans: r.Spans, Records: r.Records, PackageBy: r.PackageBy, SiteBy: r.SiteBy, AgreementPages: r.AgreementPages,
			Links: notDefault(r.Links, schemas.LinksOn), Timing: notDefault(r.Timing, schemas.TimingSingle),
			Reading: schemas.Reading{Hidden: notDefault(r.Reading.Hidden, schemas.HiddenSkip), Words: notDefault(r.Reading.Words, schemas.WordsScript)},
			Limits:  r.Limits,
		},
	}
	usage := func(err error) (ingest.Options, error) { return o, service.UsageError{Err: err} }
	if err := o.Run.Check(); err != nil {
		return usage(err)
	}
	if r.RetryFailed != "" {
		return o, r.retry(ctx, blobs, inputs, &o)
	}
	var err error
	if o.Share, err = r.share(); err != nil {
		return usage(err)
	}
	o.Recipe.Conversions = r.Selecting.Conversions
	if o.Select, err = r.Selecting.Selector(); err != nil {
		return o, err
	}
	x, s, facts, err := r.Methods()
	if err != nil {
		return usage(err)
	}
	if o.Recipe.Keep, facts, err = r.filter(facts); err != nil {
		return usage(err)
	}
	agents, err := robots.NewAgents(r.Robots)
	if err != nil {
		return usage(fmt.Errorf("--robots: %w", err))
	}
	if len(agents) > 0 {
		facts = with(facts, robots.Name)
	} else if slices.Contains(strings.Split(r.Facts, ","), robots.Name) {
		return usage(errNoRobots)
	}
	if o.Recipe.TextsBy, err = schemas.NewTextsBy(r.TextsBy); err != nil {
		return usage(fmt.Errorf("--%w", err))
	}
	if slices.Contains(o.Recipe.TextsBy, schemas.ByLanguage) {
		facts = with(facts, schemas.ByLanguage)
	}
	o.Recipe.Extractors, o.Recipe.Scorers = recipe.Methods(x, s)
	o.Recipe.Facts = recipe.Facts(facts)
	if o.Recipe.Statuses, err = schemas.NewStatuses(r.Statuses); err != nil {
		return usage(fmt.Errorf("--status: %w", err))
	}
	if _, err := pii.Masker(r.Mask); err != nil {
		return usage(fmt.Errorf("--%w", err))
	}
	o.Recipe.Mask = slices.Compact(slices.Sorted(slices.Values(r.Mask)))
	if o.Recipe.Texts, o.Recipe.TextForm, err = schemas.NewTexts(r.Texts); err != nil {
		return usage(fmt.Errorf("--%w", err))
	}
	if err := r.texts(&o.Recipe); err != nil {
		return usage(err)
	}
	if o.Recipe.Links != "" && o.Recipe.TextForm == "" {
		return usage(errors.New("--links off: texts have no links: write them as markdown or html, such as --texts jsonl,markdown"))
	}
	if len(r.Mask) > 0 && o.Recipe.Texts == "" {
		return usage(errors.New("--mask: no texts are written: add --texts parquet, jsonl, bulk or warc"))
	}
	if o.ItemBytes, err = r.itemBytes(); err != nil {
		return usage(err)
	}
	o.Recipe.Learn = template.Settings(x, agents...)
	if err := r.reuse(ctx, blobs, &o.Recipe); err != nil {
		return o, err
	}
	return o, r.gold(ctx, blobs, &o.Recipe)
}

// notDefault returns the value of a flag as a recipe holds it: "" for the default, so that a
// recipe that names a default equals one that does not.
func notDefault(value, initial string) string {
	if value == initial {
		return ""
	}
	return value
}

// texts sets how the files of texts are written.
func (r *Run) texts(recipe *schemas.Recipe) (err error) {
	if recipe.Texts == "" && len(recipe.TextsBy) > 0 {
		return errors.New("--texts-by: no texts are written: add --texts parquet, jsonl, bulk or warc")
	}
	if recipe.Texts == schemas.TextsBulk {
		recipe.Bulk, err = r.Bulk.Of(recipe)
	} else if r.Bulk.Given() {
		err = errors.New("--bulk: no texts are written in the bulk form: add --texts bulk")
	}
	return err
}

// retry sets the options of a run that does again what an earlier one gave up: the recipe
// is that of the earlier run, and site templates are the ones that it has learned.
func (r *Run) retry(ctx context.Context, blobs *blob.Client, inputs []string, o *ingest.Options) error {
	switch given := r.Recipe(); {
	case len(inputs) > 0:
		return service.Usagef("--retry-failed: the inputs are those that the run gave up: leave out %s", inputs[0])
	case len(given) > 0:
		return service.Usagef("--retry-failed: the settings are those of the run: leave out %s", strings.Join(given, ", "))
	case len(r.OnlyNew) > 0:
		return service.Usagef("--retry-failed and --only-new exclude each other")
	case r.Share != "":
		return service.Usagef("--retry-failed and --share exclude each other")
	}
	m, err := ingest.Finished(ctx, blobs, r.RetryFailed)
	if err != nil {
		return err
	}
	build := o.Recipe.Build
	o.RetryFailed, o.Recipe = r.RetryFailed, m.Run.Recipe
	o.Recipe.Build = build
	if o.Recipe.Learn == nil {
		return nil
	}
	learn := *o.Recipe.Learn
	o.Recipe.Learn = &learn
	return template.Reuse(ctx, blobs, &o.Recipe, r.RetryFailed, 0)
}

// share parses the flag --share.
func (r *Run) share() (s ingest.Share, err error) {
	if r.Share == "" {
		return s, nil
	}
	number, of, ok := strings.Cut(r.Share, "/")
	if ok {
		s.Number, err = strconv.Atoi(number)
	}
	if ok && err == nil {
		s.Of, err = strconv.Atoi(of)
	}
	if !ok || err != nil || s.Number < 1 || s.Number > s.Of {
		return s, fmt.Errorf("--share %q: want i/n, such as 1/8 for the first of eight parts", r.Share)
	}
	return s, nil
}

// leastItem is the smallest size of a piece that --item-size accepts. Sizes near it are
// good for trying things out only.
const leastItem = 4 << 10

// itemBytes parses the flag --item-size.
func (r *Run) itemBytes() (n int64, err error) {
	if r.ItemSize == "" {
		return 0, nil
	}
	if n, err = service.ParseBytes(r.ItemSize); err == nil && n < leastItem {
		err = fmt.Errorf("size %q: must be at least %s, because each piece costs a message, a search for its first record and a file of each table", r.ItemSize, service.Bytes(leastItem))
	}
	if err != nil {
		return 0, fmt.Errorf("--item-size: %w", err)
	}
	return n, nil
}

// reuse makes a run use the templates that an earlier run learned.
func (r *Run) reuse(ctx context.Context, blobs *blob.Client, recipe *schemas.Recipe) error {
	switch {
	case r.TemplatesMaxAge < 0:
		return service.Usagef("--templates-max-age %v: must not be negative", r.TemplatesMaxAge)
	case r.Templates == "" && r.TemplatesMaxAge > 0:
		return service.Usagef("--templates-max-age needs --templates")
	case r.Templates == "":
		return nil
	case recipe.Learn == nil:
		return service.Usagef("--templates: none of the extractors works with templates (see 'winnow extractors')")
	}
	return template.Reuse(ctx, blobs, recipe, r.Templates, r.TemplatesMaxAge)
}

// gold sets the file of gold in the recipe: its absolute URL, so that workers on other
// machines find it, and the digest of its content.
func (r *Run) gold(ctx context.Context, blobs *blob.Client, recipe *schemas.Recipe) error {
	if r.Gold == "" {
		return nil
	}
	obj, err := blobs.Stat(ctx, r.Gold)
	if err != nil {
		return fmt.Errorf("--gold: %w", err)
	}
	side, err := source.ReadGold(ctx, blobs, obj.URL)
	if err != nil {
		return fmt.Errorf("--gold: %w", err)
	}
	recipe.Gold, recipe.GoldDigest = obj.URL, side.Digest
	_, recipe.GoldPrivate = blobs.Granted(obj.URL)
	return nil
}

// Advise adds the flag that makes the run continue to an error of planning.
func Advise(err error) error {
	var refused *ingest.RefusedError
	if !errors.As(err, &refused) || refused.Files == refused.Of {
		return err
	}
	return fmt.Errorf("%w\n--keep-going lists them as failures and reads the other %d", err, refused.Of-refused.Files)
}

// Methods returns the extractors, scorers and facts that the flags choose.
func (r *Run) Methods() (x []*algorithms.Extractor, s []*algorithms.Scorer, facts []*fact.Fact, err error) {
	list, err := r.Programs.Extractors()
	if err != nil {
		return nil, nil, nil, err
	}
	if x, err = Choose(list, r.Extractors); err != nil {
		return nil, nil, nil, err
	}
	if len(x) == 0 {
		return nil, nil, nil, fmt.Errorf("--extractors %q: no extractor is chosen", r.Extractors)
	}
	if s, err = choose.Scorers(suite.Scorers(), r.Scorers); err != nil {
		return nil, nil, nil, err
	}
	facts, err = choose.Facts(suite.Facts(), r.Facts)
	return x, s, facts, err
}

var errNoRobots = errors.New("the fact robots needs --robots: name the robots, such as --robots GPTBot,CCBot")

// filter returns the expression that texts must fulfil to be written, "" if there is none,
// and facts with those that it reads, in the order of the suite.
func (r *Run) filter(facts []*fact.Fact) (string, []*fact.Fact, error) {
	expressions := []string{}
	if r.RespectOptOut {
		expressions = append(expressions, keep.RespectOptOut)
		if len(r.Robots) > 0 {
			expressions = append(expressions, keep.RespectRobots)
		}
	}
	if r.Keep != "" {
		expressions = append(expressions, r.Keep)
	}
	if len(expressions) == 0 {
		return "", facts, nil
	}
	all := suite.Facts()
	filter, err := keep.New(expressions, recipe.Facts(all))
	if err != nil {
		return "", nil, fmt.Errorf("--%w", err)
	}
	if len(r.Robots) == 0 && slices.Contains(filter.Facts(), robots.Name) {
		return "", nil, errNoRobots
	}
	return filter.String(), with(facts, filter.Facts()...), nil
}

// with returns facts and those of the given names, in the order of the suite.
func with(facts []*fact.Fact, names ...string) []*fact.Fact {
	return slices.DeleteFunc(suite.Facts(), func(f *fact.Fact) bool {
		return !slices.Contains(facts, f) && !slices.Contains(names, f.Name)
	})
}

// Broker holds the flags that name a broker.
type Broker struct {
	URL, Prefix, Credentials, NKey, RootCA, Cert, Key string
	Wait                                              time.Duration
}

// Register adds the flags to a command. usage is the help text of --nats.
func (b *Broker) Register(f *pflag.FlagSet, usage string) {
	service.Group(f, "Broker", func(f *pflag.FlagSet) { f.StringVar(&b.URL, "nats", "", usage) })
	service.Rare(f, "Broker", func(f *pflag.FlagSet) {
		f.StringVar(&b.Prefix, "nats-prefix", "winnow", "what names of streams, subjects and buckets begin with")
		f.StringVar(&b.Credentials, "nats-creds", "", "`file` with the user's credentials")
		f.StringVar(&b.NKey, "nats-nkey", "", "`file` with an NKey seed")
		f.StringVar(&b.RootCA, "nats-ca", "", "`file` with the broker's certificate authority")
		f.StringVar(&b.Cert, "nats-cert", "", "`file` with this program's certificate, for a broker that verifies its clients")
		f.StringVar(&b.Key, "nats-key", "", "`file` with the key of --nats-cert")
		f.DurationVar(&b.Wait, "nats-wait", 30*time.Second, "how long to try to connect")
	})
}

// Validate returns a service.UsageError if a flag is wrong, or needs a broker and none is
// named.
func (b *Broker) Validate() error {
	if b.URL == "" {
		for _, f := range []struct{ flag, value string }{
			{"nats-creds", b.Credentials}, {"nats-nkey", b.NKey}, {"nats-ca", b.RootCA}, {"nats-cert", b.Cert}, {"nats-key", b.Key},
		} {
			if f.value != "" {
				return service.Usagef("--%s is for a broker, and none is named: add --nats URL, or leave out --%[1]s", f.flag)
			}
		}
		return nil
	}
	if (b.Cert == "") != (b.Key == "") {
		return service.Usagef("--nats-cert and --nats-key need each other")
	}
	if err := queue.CheckURL(b.URL); err != nil {
		return service.Usagef("--nats: %w", err)
	}
	return nil
}

// Dial connects to the broker. name is the name of the program in the broker's logs.
func (b *Broker) Dial(ctx context.Context, name string, log *slog.Logger) (*queue.Queue, error) {
	if b.URL == "" {
		return nil, service.Usagef("--nats is needed: the broker's URL, such as nats://127.0.0.1:4222")
	}
	if err := b.Validate(); err != nil {
		return nil, err
	}
	return queue.Dial(ctx, b.Options(name, log))
}

// Options returns the options of the connection of the named program, such as "winnow
// run". Every program has its own inbox prefix below the usual one, so that permissions
// can keep others from reading its replies. A subject may not contain blanks.
func (b *Broker) Options(name string, log *slog.Logger) queue.Options {
	return queue.Options{
		URL: b.URL, Prefix: b.Prefix, Name: name, Inbox: "_INBOX." + b.Prefix + "." + strings.ReplaceAll(name, " ", "-"),
		Credentials: b.Credentials, NKey: b.NKey, RootCA: b.RootCA, Cert: b.Cert, Key: b.Key, Wait: b.Wait, Log: log,
	}
}

// Log holds the flags of the logger.
type Log struct{ Format, Level string }

// Register adds the flags to a command.
func (l *Log) Register(f *pflag.FlagSet, level string) {
	service.Rare(f, "Log and metrics", func(f *pflag.FlagSet) {
		RegisterChoice(f, &l.Format, "log-format", "auto", "text, json, or auto: text on a terminal", "auto", "text", "json")
		RegisterChoice(f, &l.Level, "log-level", level, "debug, info, warn or error", "debug", "info", "warn", "error")
	})
}
