// Package access says who may do what on the server of an arena, and lets in who may.
//
// A token is a pair of keys: the arena keeps the public one, and who has the other proves it by signing what the server asks.
// There are no passwords. [Rights] is the whole of what each role may; [Gate] is the check, behind the embedded server as
// well as behind a server of its own that asks by auth callout.
package access
