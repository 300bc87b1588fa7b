package commit

import (
	"fmt"

	"github.com/winnow/winnow/schemas"
)

// stage is a stage of a run. Every stage but the last two is a phase of the plan.
type stage string

const (
	scanning   stage = "scan"
	learning   stage = "learn"
	extracting stage = "extract"
	publishing stage = "publish"
	finished   stage = "finished"
)

// outcome is how a stage ended.
type outcome string

const (
	allScanned   outcome = "all items are scanned"
	allLearned   outcome = "all templates are learned"
	allCommitted outcome = "all items are committed"
	published    outcome = "the tables are published"
)

// stages has the next stage for each stage and outcome.
var stages = map[stage]map[outcome]stage{
	scanning:   {allScanned: learning},
	learning:   {allLearned: extracting},
	extracting: {allCommitted: publishing},
	publishing: {published: finished},
}

// after returns the stage that follows s.
func (s stage) after(o outcome) (stage, error) {
	next, ok := stages[s][o]
	if !ok {
		return s, fmt.Errorf("commit: stage %s cannot end with %q", s, o)
	}
	return next, nil
}

// stageOf returns the stage at which a process continues the run of a manifest.
// Publishing is repeated, so that it also completes what another process left unfinished.
func stageOf(m *schemas.Manifest) stage {
	if !m.Finished.IsZero() {
		return publishing
	}
	return stage(m.Run.Phase)
}
