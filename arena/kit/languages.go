package kit

import (
	"errors"
	"io/fs"
	"maps"
	"strings"

	"github.com/fivethreefive/fivethreefive/engine"
	"github.com/fivethreefive/fivethreefive/protocol"
	"github.com/fivethreefive/fivethreefive/sdk"
)

// withSDK are the languages whose bots only decide.
func withSDK() []Language {
	return []Language{
		{
			Name: "go", About: "Go 1.26 or later, with the engine of the arena beside the SDK", source: "bot.go", Test: "go test",
			files: func(to map[string]string) error {
				return errors.Join(addFolder(to, "", templates, "templates/go"), addModule(to, "fivethreefive"))
			},
		},
		{
			Name: "python", About: "Python 3.9 or later", source: "bot.py", Test: "python3 -m unittest",
			files: from("python", map[string]string{"fivethreefive.py": "python/fivethreefive.py"}),
		},
		{
			Name: "javascript", About: "Node.js 18 or later, with types", source: "strategy.mjs", Test: "node --test",
			files: from("javascript", map[string]string{"fivethreefive.mjs": "javascript/fivethreefive.mjs", "fivethreefive.d.mts": "javascript/fivethreefive.d.mts"}),
		},
		{
			Name: "typescript", About: "compiled by tsc 5 or later, for Node.js", source: "src/strategy.mts", Test: "tsc && node --test",
			files: from("typescript", map[string]string{"fivethreefive.mjs": "javascript/fivethreefive.mjs", "fivethreefive.d.mts": "javascript/fivethreefive.d.mts"}),
		},
		{
			Name: "rust", About: "built by cargo, Rust 1.63 or later", source: "src/main.rs", Test: "cargo test --offline",
			files: from("rust", map[string]string{"src/fivethreefive.rs": "rust/fivethreefive.rs"}),
		},
		{
			Name: "java", About: "Java 17 or later", source: "Main.java",
			Test:  "javac -encoding UTF-8 -d out MainTest.java && java -cp out MainTest",
			files: from("java", map[string]string{"fivethreefive/FiveThreeFive.java": "java/fivethreefive/FiveThreeFive.java"}),
		},
		{
			Name: "cpp", About: "C++17, built by g++", source: "strategy.hpp", Test: "g++ -std=c++17 -o test test.cpp && ./test",
			files: from("cpp", map[string]string{"fivethreefive.hpp": "cpp/fivethreefive.hpp"}),
		},
	}
}

// from adds the template of a language, and files of the SDKs by their places in the folder of the bot.
func from(language string, sdkFiles map[string]string) func(map[string]string) error {
	return func(to map[string]string) error {
		for place, file := range sdkFiles {
			text, err := fs.ReadFile(sdk.Files(), file)
			if err != nil {
				return err
			}
			to[place] = string(text)
		}
		return addFolder(to, "", templates, "templates/"+language)
	}
}

// addModule adds this module as far as the SDK in Go needs it.
func addModule(to map[string]string, below string) error {
	to[below+"/go.mod"] = "module github.com/fivethreefive/fivethreefive\n\ngo 1.26.0\n"
	err := errors.Join(
		addFolder(to, below+"/engine", engine.Source(), "."),
		addFolder(to, below+"/protocol", protocol.Source(), "."),
		addFolder(to, below+"/sdk/go", sdk.Files(), "go"),
	)
	maps.DeleteFunc(to, func(file, _ string) bool {
		return strings.HasPrefix(file, below+"/") && strings.HasSuffix(file, "_test.go")
	})
	return err
}

// readme has the commands by which one goes on.
func (l Language) readme() string {
	text := "# mybot\n\nA bot for Five Three Five. "
	if l.Test == "" {
		text += "It is all in `" + l.source + "`, and speaks the bot protocol by itself:\n" +
			"https://github.com/fivethreefive/fivethreefive/blob/main/protocol/README.md\n\n"
	} else {
		text += "It decides in `" + l.source + "`; all else is done by the SDK in this folder.\n\n"
	}
	text += "```sh\n"
	if l.Test != "" {
		text += l.Test + "    # in this folder\n"
	}
	text += "arena match ./mybot greedy    # in the folder above; what the bot writes to stderr is shown beside its faults\n```\n\n" +
		"`bot.toml` says how the bot is built and started. Count up its `version` whenever it plays differently.\n"
	if l.Test != "" {
		text += "\nThe SDK: https://github.com/fivethreefive/fivethreefive/tree/main/sdk#readme\n"
	}
	return text
}
