package request

import (
	"strconv"

	"github.com/spf13/pflag"

	"github.com/winnow/winnow/algorithms/driver"
	"github.com/winnow/winnow/algorithms/html"
	"github.com/winnow/winnow/pipeline/ingest"
	"github.com/winnow/winnow/pipeline/service"
	"github.com/winnow/winnow/schemas"
)

// registerLimits adds the flag of the bounds within which a page is processed.
func registerLimits(f *pflag.FlagSet, l *schemas.Limits) {
	s := settings{flag: "limit", separators: ",\n", width: 22, all: []setting{
		{"payload", "16MiB", "size at which a decoded page is cut", sizeTo(&l.PayloadBytes, "16MiB")},
		{"nodes", strconv.Itoa(html.DefaultNodes), "elements and texts at which a page is cut (nodes-cut)", numberTo(&l.PageNodes)},
		{"text", "4MiB", "size of a page's text at which it is cut (text-cut)", sizeTo(&l.PageText, "4MiB")},
		{"block", "64MiB", "size at which a record is cut", sizeTo(&l.BlockBytes, "64MiB")},
		{"texts-file", "256MiB", "size of the texts in one file, before compression", sizeTo(&l.TextsFile, "256MiB")},
		{"scored", "2MiB", "size of a text above which it is not scored", sizeTo(&l.ScoreBytes, "2MiB")},
		{"earlier-pages", strconv.Itoa(ingest.DefaultEarlierPages), "pages of earlier runs with which pages are compared (--only-new)", numberTo(&l.EarlierPages)},
		{"page-time", "30s", "time that a program of --extractor-command has for one page", timeTo(&l.PageTime)},
		{"method-time", driver.DefaultMethodTime.String(), "time after which an extractor or scorer is stopped on a page", timeTo(&l.MethodTime)},
	}}
	s.register(f, "bound of what is processed; may be repeated, or a list separated by commas:")
	service.Formerly(f, map[string]string{
		"max-payload": "--limit payload=SIZE", "max-nodes": "--limit nodes=NUMBER", "max-text": "--limit text=SIZE", "max-block": "--limit block=SIZE",
		"max-scored": "--limit scored=SIZE", "page-time": "--limit page-time=TIME", "method-time": "--limit method-time=TIME",
	})
}
