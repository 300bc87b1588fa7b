package wrapped

import "github.com/winnow/winnow/algorithms"

// Trafilatura in its four settings.
var (
	Trafilatura          = describeTrafilatura("trafilatura", "with its fallbacks")
	TrafilaturaFast      = describeTrafilatura("trafilatura-fast", "without fallbacks")
	TrafilaturaPrecision = describeTrafilatura("trafilatura-precision", "with fallbacks, favouring precision")
	TrafilaturaRecall    = describeTrafilatura("trafilatura-recall", "with fallbacks, favouring recall")
)

// Readability is Mozilla's reader view.
var Readability = &algorithms.Extractor{
	Description: algorithms.Description{
		Name: "readability", Family: "readability",
		Doc: "runs go-readability: Mozilla's reader view, which scores paragraphs and their ancestors",
		Cite: algorithms.Cite{Authors: "Mozilla; port by R. Fadlillah, Readeck contributors", Title: "go-readability, a port of Readability.js 0.6",
			Venue: "software", Year: 2025, URL: "https://codeberg.org/readeck/go-readability"},
		Fidelity: algorithms.Wrapped, Cost: algorithms.Superlinear,
	},
}

// DomDistiller is Chromium's reader mode.
var DomDistiller = &algorithms.Extractor{
	Description: algorithms.Description{
		Name: "domdistiller", Family: "domdistiller",
		Doc: "runs go-domdistiller: Chromium's reader mode, which adds DOM heuristics to boilerpipe's classifiers",
		Cite: algorithms.Cite{Authors: "The Chromium Authors, M. Mobius", Title: "go-domdistiller, a port of DOM Distiller",
			Venue: "software", Year: 2024, URL: "https://github.com/markusmobius/go-domdistiller"},
		Fidelity: algorithms.Wrapped, Cost: algorithms.Superlinear,
		Departures: []string{"Pagination is off."},
	},
}

func describeTrafilatura(name, how string) *algorithms.Extractor {
	return &algorithms.Extractor{
		Description: algorithms.Description{
			Name: name, Family: "trafilatura",
			Doc: "runs go-trafilatura " + how,
			Cite: algorithms.Cite{Authors: "Barbaresi; port by M. Mobius",
				Title: "Trafilatura: a web scraping library and command-line tool for text discovery and extraction",
				Venue: "ACL demo", Year: 2021, URL: "https://doi.org/10.18653/v1/2021.acl-demo.15"},
			Fidelity: algorithms.Wrapped, Cost: algorithms.Superlinear,
			Departures: []string{
				"Date search and readers' comments are off.",
				"The fallbacks of the port are an older go-readability and go-domdistiller; the Python original has readability-lxml and jusText, so its published figures differ slightly.",
			},
		},
	}
}
