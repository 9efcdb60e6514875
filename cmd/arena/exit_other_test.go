//go:build !linux

package main

import "os"

func exitNow(code int) { os.Exit(code) }
