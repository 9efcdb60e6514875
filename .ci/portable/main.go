// Command portable checks the types of all packages as other systems would compile them. That finds what does not build
// there in a small part of the time of building it.
//
//	go -C .ci/portable run . ../.. windows darwin
//
// It is a module of its own, so that the program does not depend on what only this check needs.
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"
)

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: portable FOLDER SYSTEM...")
		os.Exit(2)
	}
	dir, err := filepath.Abs(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	failed := false
	for _, system := range os.Args[2:] {
		all, err := packages.Load(config(dir, system), "./...")
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", system, err)
			os.Exit(1)
		}
		packages.Visit(all, nil, func(p *packages.Package) {
			if p.Module == nil || !p.Module.Main || strings.HasSuffix(p.ID, ".test") {
				return // others' code, and the generated starts of the tests, whose functions were left out
			}
			for _, problem := range p.Errors {
				failed = true
				fmt.Fprintf(os.Stderr, "%s: %v\n", system, problem)
			}
		})
	}
	if failed {
		os.Exit(1)
	}
}

// config loads our packages with their tests, and of all others only what they declare.
func config(dir, system string) *packages.Config {
	return &packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps |
			packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedModule,
		Dir:   dir,
		Env:   append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0"),
		Tests: true,
		ParseFile: func(fset *token.FileSet, name string, src []byte) (*ast.File, error) {
			file, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
			if file != nil && !strings.HasPrefix(name, dir+string(os.PathSeparator)) {
				for _, declaration := range file.Decls {
					if function, ok := declaration.(*ast.FuncDecl); ok {
						function.Body = nil
					}
				}
			}
			return file, err
		},
	}
}
