// Package posts divides the chosen part of a page into the posts of a discussion: what one
// person wrote at one time, in a forum, below an article, or as question and answer.
//
//	for _, p := range posts.Of(page, &selection) {
//		fmt.Println(p.Author, p.Date, p.Text)
//	}
//
// A post is an element that is marked as one: by the microdata of schema.org
// (DiscussionForumPosting, Comment, Answer, Question), as h-entry of microformats, by the role of
// a comment, or by the classes of common programs (phpBB, vBulletin, XenForo, Discourse,
// StackExchange, WordPress). Author and date are those that the markup of the post names; a
// post without them is one too. Posts are not guessed from the looks of a page, and posts that
// JSON-LD has are not matched with the text. Time is linear in the page.
//
// This package is internal to Winnow and may change in any release.
package posts

import (
	"bytes"
	"strings"

	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/algorithms/page"
)

// Post is a post with its text, as an extractor chose it. Author and Date are empty if the page
// does not mark them up. Date is as the page has it.
type Post struct {
	Author, Date string
	Text         string
	Row          page.Row // the element
}

// Of returns the posts of a selection in the order of the page: those with chosen text. The text
// of a post that is inside another one belongs to the inner one alone. It returns nil for a page
// with fewer than two posts.
func Of(p *page.Page, s *page.Selection) []Post {
	b := p.Body()
	type open struct {
		end  page.Row
		post int // index into all
	}
	var all []Post
	var stack []open
	texts := []page.Selection{} // chosen text of each post
	spans := s.Spans
	for r := range b.Tag {
		row := page.Row(r)
		for len(stack) > 0 && stack[len(stack)-1].end <= row {
			stack = stack[:len(stack)-1]
		}
		if b.Flags[r]&page.IsText == 0 {
			if isPost(p, b.Node[r]) {
				stack = append(stack, open{b.End[r], len(all)})
				author, _ := p.Attr(b.Node[r], "data-author")
				all = append(all, Post{Row: row, Author: strings.ToValidUTF8(string(author[:min(len(author), maxName)]), "")})
				texts = append(texts, page.Selection{})
			} else if len(stack) > 0 {
				about(p, b, row, &all[stack[len(stack)-1].post])
			}
			continue
		}
		if len(stack) == 0 {
			continue
		}
		for len(spans) > 0 && spans[0].End <= b.TextStart[r] {
			spans = spans[1:]
		}
		for k := 0; k < len(spans) && spans[k].Start < b.TextEnd[r]; k++ {
			texts[stack[len(stack)-1].post].AddSpan(b, page.Span{Start: max(spans[k].Start, b.TextStart[r]), End: min(spans[k].End, b.TextEnd[r])})
		}
	}
	kept := all[:0]
	for i := range all {
		if text := texts[i].AppendText(nil, b); len(text) > 0 {
			all[i].Text = string(text)
			kept = append(kept, all[i])
		}
	}
	if len(kept) < 2 {
		return nil
	}
	return kept
}

// isPost reports whether the element n is marked as a post.
func isPost(p *page.Page, n html.Node) bool {
	article := p.Tree.Tag[n] == html.TagArticle
	for _, a := range p.Attrs(n) {
		value := p.AttrValue(a)
		switch string(p.AttrName(a)) {
		case "itemtype":
			_, kind, _ := strings.Cut(string(value), "schema.org/")
			switch strings.TrimSpace(kind) {
			case "DiscussionForumPosting", "Comment", "UserComments", "Answer", "Question":
				return true
			}
		case "role":
			if string(value) == "comment" {
				return true
			}
		case "data-answerid", "data-questionid", "data-post-id", "data-author":
			if article || p.Tree.Tag[n] == html.TagDiv || p.Tree.Tag[n] == html.TagLi {
				return true
			}
		case "class":
			for word := range bytes.FieldsSeq(value) {
				switch string(word) {
				case "h-entry", "topic-post", "crawler-post", "message--post", "postcontainer", "postbitlegacy", "comment-body", "answer", "phpbb-post":
					return true
				case "post":
					if id, ok := p.Attr(n, "id"); ok && len(id) > 1 && id[0] == 'p' && '0' <= id[len(id)-1] && id[len(id)-1] <= '9' {
						return true // phpBB writes p123
					}
				}
			}
		}
	}
	return false
}

// about reads the author and the date of a post from the element r in it. The first of each
// counts.
func about(p *page.Page, b *page.Body, r page.Row, post *Post) {
	n := b.Node[r]
	text := func() string {
		return strings.Join(strings.Fields(string(b.Text[b.TextStart[r]:b.TextEnd[r]])), " ")
	}
	var author, date bool
	var machine string // a date for machines
	for _, a := range p.Attrs(n) {
		value := p.AttrValue(a)
		switch string(p.AttrName(a)) {
		case "itemprop":
			for word := range bytes.FieldsSeq(value) {
				author = author || string(word) == "author" || string(word) == "creator"
				date = date || string(word) == "datePublished" || string(word) == "dateCreated" || string(word) == "commentTime"
			}
		case "rel":
			author = author || string(value) == "author"
		case "class":
			for word := range bytes.FieldsSeq(value) {
				switch string(word) {
				case "author", "username", "p-author", "comment-author", "fn", "creator", "bigusername", "user-details":
					author = true
				case "dt-published", "relativetime", "published", "post-time", "postdate":
					date = true
				}
			}
		case "datetime", "content":
			machine = string(bytes.TrimSpace(value))
		case "title":
			if machine == "" && len(value) > 0 && '0' <= value[0] && value[0] <= '9' {
				machine = string(bytes.TrimSpace(value))
			}
		}
	}
	date = date || p.Tree.Tag[n] == html.TagTime && machine != ""
	short := b.TextEnd[r]-b.TextStart[r] <= maxName // else it is more than a name or a date
	if author && post.Author == "" && short {
		post.Author = text()
	}
	if date && post.Date == "" {
		if post.Date = strings.ToValidUTF8(machine[:min(len(machine), maxName)], ""); post.Date == "" && short {
			post.Date = text()
		}
	}
}

// maxName is the longest name of an author in bytes, and the longest date.
const maxName = 100
