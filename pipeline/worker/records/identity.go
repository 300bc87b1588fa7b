package records

import (
	"github.com/winnow/winnow/pipeline/source"
	"github.com/winnow/winnow/pipeline/source/gold"
	"github.com/winnow/winnow/schemas"
)

// Identity holds the names of a page.
type Identity struct {
	Package, ID, URL string
	Site             string
	PageID           uint64        // number of the page within the run, see schemas.Page
	Gold             *schemas.Gold // nil if there is none
}

// Namer names the pages of a run.
type Namer struct {
	Run  *schemas.Run
	Side *gold.SideFile // nil if there is none
}

// Identify returns the names of a page of a file. They do not depend on the page's HTML.
func (n *Namer) Identify(f *schemas.FileRange, p *source.Page) Identity {
	r := &n.Run.Recipe
	who := Identity{URL: p.Address(), Gold: p.Gold}
	if who.Gold != nil {
		who.Package, who.ID = n.packageOf(f, who.Gold), who.Gold.ID
	} else if n.Side != nil {
		// Gold that is found by URL is not about this capture alone, so it gives no id.
		if who.Gold = n.Side.Lookup(p.URL); who.Gold != nil {
			who.Package = who.Gold.Package
		}
	}
	name := f.TableName()
	if who.Package == "" {
		who.Package = schemas.PackageName(groupKey(r.PackageBy, name, who.URL))
	}
	if who.ID == "" {
		who.ID = p.Name(name)
	}
	who.PageID = p.PageID(name)
	who.Site = Site(r.SiteBy, who.Package, who.URL)
	return who
}

// packageOf returns the package of a page whose gold is in the archive. An archive
// names its packages itself. So that none can add documents to the package of another
// archive or of a side file, a package is called "NAME in FILE" wherever there could be
// another of its name: unless the run has this file alone, or the file itself is called
// NAME (the names of files are distinct within a run). A NAME has no blank.
func (n *Namer) packageOf(f *schemas.FileRange, g *schemas.Gold) string {
	file := f.TableName()
	if g.Package == "" || file == g.Package || n.Run.Alone() && n.Side == nil {
		return g.Package
	}
	return g.Package + " in " + file
}
