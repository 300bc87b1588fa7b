package recipe

import (
	"testing"

	"github.com/winnow/winnow/algorithms/driver"
	"github.com/winnow/winnow/algorithms/feature/website"
	"github.com/winnow/winnow/algorithms/page"
	"github.com/winnow/winnow/schemas"
)

func TestPageOptions(t *testing.T) {
	for _, c := range []struct {
		reading schemas.Reading
		want    page.Options
	}{
		{schemas.Reading{}, page.Options{}},
		{schemas.Reading{Hidden: schemas.HiddenShow}, page.Options{ShowHidden: true}},
		{schemas.Reading{Words: schemas.WordsSpace}, page.Options{Words: page.WordsBySpace}},
	} {
		if got := PageOptions(c.reading); got != c.want {
			t.Errorf("%+v: %+v, want %+v", c.reading, got, c.want)
		}
	}
	if _, err := DriverConfig(&schemas.Recipe{Reading: schemas.Reading{Words: "x"}}); err == nil {
		t.Error("a reading that does not exist has settings")
	}
}

// TestVocabulary: values that both a recipe and the algorithms name are the same.
func TestVocabulary(t *testing.T) {
	for recipe, algorithm := range map[string]string{
		schemas.ByHost: website.ByHost, schemas.ByDomain: website.ByDomain,
		schemas.TimingSingle: string(driver.Single), schemas.TimingWindow: string(driver.Window),
	} {
		if recipe != algorithm {
			t.Errorf("%q is called %q in the algorithms", recipe, algorithm)
		}
	}
}
