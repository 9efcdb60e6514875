package show

import (
	"fmt"
	"io"

	"github.com/fivethreefive/fivethreefive/arena/league"
)

// StageNotes say which rules of a format were relaxed, and why.
type StageNotes struct {
	Stage int      `json:"stage,omitempty"` // 0 is the end
	Notes []string `json:"notes"`
}

// NotesOf are those of all stages that have any, in their order.
func NotesOf(state *league.State) (all []StageNotes) {
	for stage := 1; stage <= state.Stages(); stage++ {
		if notes := state.Notes(stage); len(notes) > 0 {
			all = append(all, StageNotes{stage, notes})
		}
	}
	if notes := state.Ended(); len(notes) > 0 {
		all = append(all, StageNotes{Notes: notes})
	}
	return all
}

// Notes says where a format could not keep its rules.
func Notes(out io.Writer, notes []StageNotes) {
	if len(notes) > 0 {
		fmt.Fprintln(out)
	}
	for _, stage := range notes {
		for _, note := range stage.Notes {
			if stage.Stage == 0 {
				fmt.Fprintf(out, "end: %s\n", note)
				continue
			}
			fmt.Fprintf(out, "stage %d: %s\n", stage.Stage, note)
		}
	}
}
