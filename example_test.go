package winnow_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"github.com/winnow/winnow"
	"github.com/winnow/winnow/algorithms"
	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
)

const news = `<!doctype html><html lang="en"><head><title>The price of grain rises again - The Daily Sheaf</title>
<meta property="og:title" content="The price of grain rises again"><meta property="og:site_name" content="The Daily Sheaf">
<meta name="author" content="Ada Miller"><meta name="description" content="A poor harvest.">
<meta property="article:published_time" content="2024-05-01T08:30:00Z"></head>
<body><nav class="menu"><ul><li><a href="/">Home</a></li><li><a href="/world">World</a></li><li><a href="/sport">Sport</a></li></ul></nav>
<main><article><h1>The price of grain rises again</h1>
<p>The harvest was poor in most parts of the country, and so the price of grain has risen for the third time in as many months, the <a href="/office">office of statistics</a> said on Monday.</p>
<p>Farmers had warned in spring that the drought would cost them a third of what they usually bring in; in the end it was nearly half, and the barns are empty before the winter.</p>
</article>
<section id="comments" class="comments"><h3>2 comments</h3>
<div class="comment"><b class="comment-author">Tom says:</b><p>Great post, I love your bread! Thanks for telling us how it is made.</p></div>
<div class="comment"><b class="comment-author">Eve says:</b><p>I think you are all wrong about this, my own garden has never been so good.</p></div></section></main>
<footer><p>Copyright 2020 The Daily Sheaf. All rights reserved.</p></footer></body></html>`

func ExampleExtract() {
	result, err := winnow.Extract(strings.NewReader(news), winnow.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Text)
	// Output:
	// The price of grain rises again
	// The harvest was poor in most parts of the country, and so the price of grain has risen for the third time in as many months, the office of statistics said on Monday.
	// Farmers had warned in spring that the drought would cost them a third of what they usually bring in; in the end it was nearly half, and the barns are empty before the winter.
}

// The charset of the HTTP header decides how the bytes of a page are read.
func ExampleExtract_charset() {
	source := "<p>Gr\xfc\xdfe aus K\xf6ln, wo es seit drei Tagen regnet und niemand mehr wei\xdf, wann es aufh\xf6rt."
	result, err := winnow.Extract(strings.NewReader(source), winnow.Options{ContentType: "text/html; charset=iso-8859-1", Extractor: "plain"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Language, result.Text)
	// Output:
	// de Grüße aus Köln, wo es seit drei Tagen regnet und niemand mehr weiß, wann es aufhört.
}

func ExampleExtract_metadata() {
	result, err := winnow.Extract(strings.NewReader(news), winnow.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s, by %s\n%s: %s\n%v, in %q\n", result.Title, result.Author, result.Site, result.Description, result.Published, result.Language)
	// Output:
	// The price of grain rises again, by Ada Miller
	// The Daily Sheaf: A poor harvest.
	// 2024-05-01 08:30:00 +0000 UTC, in "en"
}

// Nothing found is an answer.
func ExampleExtract_nothing() {
	result, err := winnow.Extract(strings.NewReader("<title>Moved</title><script>location = '/new'</script>"), winnow.Options{})
	fmt.Printf("%q %v\n", result.Text, err)
	// Output:
	// "" <nil>
}

func ExampleExtract_notHTML() {
	_, err := winnow.Extract(strings.NewReader("%PDF-1.7"), winnow.Options{})
	fmt.Println(err == winnow.ErrNotHTML)
	// Output:
	// true
}

func ExampleOptions_comments() {
	for _, comments := range []winnow.Comments{winnow.CommentsInclude, winnow.CommentsExclude} {
		result, err := winnow.Extract(strings.NewReader(news), winnow.Options{Comments: comments})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(comments, strings.Contains(result.Text, "my own garden"))
	}
	// Output:
	// include true
	// exclude false
}

func ExampleOptions_extractor() {
	result, err := winnow.Extract(strings.NewReader(news), winnow.Options{Extractor: "bte"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(strings.Contains(result.Text, "The harvest was poor"))
	// Output:
	// true
}

// An own extractor is a value with a name and a function that selects parts of the page.
func ExampleOptions_own() {
	paragraphs := &algorithms.Extractor{
		Description: algorithms.Description{Name: "paragraphs"},
		Run: func(p *algorithms.Pass) error {
			for row := range p.Body.Tag {
				if p.Body.Tag[row] == html.TagP {
					p.Out.AddRow(p.Body, page.Row(row))
				}
			}
			return nil
		},
	}
	result, err := winnow.Extract(strings.NewReader("<h1>Title</h1><p>First.<p>Second."), winnow.Options{Own: paragraphs})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Text)
	// Output:
	// First.
	// Second.
}

func ExampleNew() {
	extractor, err := winnow.New(winnow.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, address := range []string{"https://a.example/", "https://b.example/"} {
		result, err := extractor.Extract([]byte(news), address)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(address, len(result.Text) > 0)
	}
	// Output:
	// https://a.example/ true
	// https://b.example/ true
}

// Goroutines take Extractors from a pool and put them back when they have used the Result.
func ExampleNew_parallel() {
	pool := sync.Pool{New: func() any {
		extractor, err := winnow.New(winnow.Options{})
		if err != nil {
			panic(err) // the options are constants
		}
		return extractor
	}}
	texts := make([]string, 8)
	var group sync.WaitGroup
	for i := range texts {
		group.Go(func() {
			extractor := pool.Get().(*winnow.Extractor)
			defer pool.Put(extractor)
			if result, err := extractor.Extract([]byte(news), ""); err == nil {
				texts[i] = result.Markdown()
			}
		})
	}
	group.Wait()
	fmt.Println(len(texts[0]) > 0, texts[0] == texts[7])
	// Output:
	// true true
}

// Markdown keeps headings, lists, tables, code and links.
func ExampleResult_Markdown() {
	result, err := winnow.Extract(strings.NewReader(news), winnow.Options{URL: "https://sheaf.example/grain"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Markdown()[:100])
	// Output:
	// # The price of grain rises again
	//
	// The harvest was poor in most parts of the country, and so the pric
}

// Blocks are the chunks of a retrieval pipeline, each with the heading above it.
func ExampleResult_Blocks() {
	result, err := winnow.Extract(strings.NewReader(news), winnow.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	heading := ""
	for _, block := range result.Blocks() {
		if block.Kind == winnow.Heading {
			heading = block.Text
			continue
		}
		fmt.Printf("%s | %s | %.30s...\n", heading, block.Kind, block.Text)
	}
	// Output:
	// The price of grain rises again | paragraph | The harvest was poor in most p...
	// The price of grain rises again | paragraph | Farmers had warned in spring t...
}

// A run with --texts jsonl writes lines of JSON (docs/reference/tables.md, texts).
func Example_textsOfARun() {
	lines := json.NewDecoder(strings.NewReader(`{"doc_id":"a","url":"https://a.example/","extractor":"winnow","text":"First text."}
{"doc_id":"b","url":"https://b.example/","extractor":"winnow","text":"Second text."}
`))
	for lines.More() {
		var row struct {
			URL  string `json:"url"`
			Text string `json:"text"`
		}
		if err := lines.Decode(&row); err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(row.URL, row.Text)
	}
	// Output:
	// https://a.example/ First text.
	// https://b.example/ Second text.
}
