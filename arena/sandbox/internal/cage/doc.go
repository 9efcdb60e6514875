// Package cage turns a process into a bot behind walls: a program that imports it becomes, when it is started under a
// certain name, the first process of new namespaces, builds the walls round itself and runs the bot in its own place. What
// the bot may see and use is decided by who starts it.
//
// It works on Linux only; elsewhere it is empty.
package cage
