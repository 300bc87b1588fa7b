package library

import (
	"fmt"
	"net/url"
	"strings"

	"golang.org/x/net/html"
)

func parse(src string) (*html.Node, error) {
	doc, err := html.Parse(strings.NewReader(src))
	if err != nil {
		return nil, fmt.Errorf("parse page: %w", err) // deeper than 512 open elements
	}
	return doc, nil
}

// pageURL is the address as a URL, or one that says that there is none.
func pageURL(address string) *url.URL {
	page, err := url.Parse(address)
	if err != nil || page.Host == "" {
		page = &url.URL{Scheme: "http", Host: "invalid.example", Path: "/"}
	}
	return page
}
