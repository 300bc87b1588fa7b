package request

import (
	"github.com/winnow/winnow/pipeline/service"
	"github.com/winnow/winnow/pipeline/stats"
)

// Lost counts the input that a run could not read. It decides the exit code.
func Lost(sum *stats.Summary) service.RefusedError {
	return service.RefusedError{Records: sum.Refused, Items: sum.Dead, Files: len(sum.Losses), Bytes: sum.LostBytes()}
}
