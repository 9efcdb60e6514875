package viewer

import (
	"context"
	"errors"
	"io"
	"os"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
)

// Run shows the model on a terminal until the user quits.
func Run(ctx context.Context, m tea.Model, in io.Reader, out io.Writer, color string) error {
	return Finish(tea.NewProgram(m, Options(ctx, in, out, color)...).Run())
}

// Options are those of all programs that fill a terminal. Color is auto, always or never.
func Options(ctx context.Context, in io.Reader, out io.Writer, color string) []tea.ProgramOption {
	options := []tea.ProgramOption{tea.WithContext(ctx), tea.WithInput(in), tea.WithOutput(out)}
	if profile, ok := profileOf(color, os.Getenv); ok {
		options = append(options, tea.WithColorProfile(profile))
	}
	return options
}

// Finish takes what a program returns: to be interrupted is no error.
func Finish(_ tea.Model, err error) error {
	if errors.Is(err, tea.ErrInterrupted) || errors.Is(err, tea.ErrProgramKilled) {
		return nil
	}
	return err
}

// profileOf says which colours may be used, unless that is left to what the terminal can.
func profileOf(color string, env func(string) string) (colorprofile.Profile, bool) {
	switch {
	case color == "never", color != "always" && env("NO_COLOR") != "":
		return colorprofile.ASCII, true
	case color == "always":
		return max(colorprofile.ANSI, colorprofile.Env(os.Environ())), true
	default:
		return 0, false
	}
}
