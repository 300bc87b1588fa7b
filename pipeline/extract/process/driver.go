package process

import (
	"github.com/winnow/winnow/algorithms/compare/align"
	"github.com/winnow/winnow/algorithms/driver"
)

// Driver is a driver.Driver with all that extractors which are programs need: their
// processes, and an aligner that finds their texts on the page. Runs and commands make
// their drivers here, so that a page has the same answers everywhere.
type Driver struct {
	*driver.Driver
	Aligner   *align.Aligner // may be used between two pages
	processes *Processes
}

// NewDriver returns a Driver with the given methods and settings. It sets Isolate and
// Align, and starts no process before a page needs it. The caller closes it.
func NewDriver(c driver.Config) (*Driver, error) {
	d := &Driver{Aligner: new(align.Aligner), processes: New(Options{})}
	c.Isolate, c.Align = d.processes.Run, d.Aligner.Text
	var err error
	if d.Driver, err = driver.New(c); err != nil {
		return nil, err
	}
	return d, nil
}

// Close ends the processes.
func (d *Driver) Close() { d.processes.Close() }
