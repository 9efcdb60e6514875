package viewer

import (
	"fmt"

	"github.com/fivethreefive/fivethreefive/arena/steps"
	"github.com/fivethreefive/fivethreefive/cmd/arena/internal/table"
)

// moves lists all steps by tricks, the present one marked. A star tells of a note that one may see.
func (s Show) moves(at int, who steps.Who) (rows []table.Row) {
	for i, full := range s.Game.Steps {
		step := full.Step
		if step.Kind == steps.Deal {
			rows = append(rows, table.Row{Text: fmt.Sprintf("%3d %s", step.Number, place(step)), Marked: i == at})
			continue
		}
		if step.On == 0 {
			rows = append(rows, table.Row{Text: fmt.Sprintf("    trick %d", step.Trick)})
		}
		rows = append(rows, table.Row{Text: s.move(see(who, &full)), Marked: i == at})
		switch {
		case step.Score != nil:
			rows = append(rows, table.Row{Text: fmt.Sprintf("    %d goes out", step.Score.Out)})
		case step.Clear != "" && step.Clear != "passes":
			rows = append(rows, table.Row{Text: "    " + table.Clear(step.Clear)})
		}
	}
	return rows
}

func place(step steps.Step) string {
	if step.Half > 0 {
		return fmt.Sprintf("round %d, half %d", step.Round, step.Half)
	}
	return fmt.Sprintf("round %d", step.Round)
}

func (s Show) move(step sight) string {
	sign := fmt.Sprintf("%.1f ms", step.MS)
	switch {
	case step.Fault != "":
		sign = "! " + string(step.Fault)
	case step.By != "":
		sign = "arena"
	}
	if step.own != nil && step.own.Note != "" {
		sign += " *"
	}
	return fmt.Sprintf("%3d %d %-13s %s", step.Number, step.Seat, table.Short(step.Action), sign)
}

// log lists what the bots noted, and the faults, the last one up to the present step marked. Of others than one sees through
// the notes are hidden.
func (s Show) log(at int, who steps.Who) (rows []table.Row) {
	marked := -1
	for i := range s.Game.Steps {
		step := see(who, &s.Game.Steps[i])
		text := ""
		if step.own != nil {
			text = step.own.Note
		}
		if step.Fault != "" {
			text = "! " + string(step.Fault)
		}
		if text == "" {
			continue
		}
		rows = append(rows, table.Row{Text: fmt.Sprintf("%3d %d %s", step.Number, step.Seat, text)})
		if i <= at {
			marked = len(rows) - 1
		}
	}
	if len(rows) == 0 {
		return []table.Row{{Text: "no notes and no faults"}}
	}
	if marked >= 0 {
		rows[marked].Marked = true
	}
	return rows
}
