package greet

import "fmt"

// Hello greets somebody by name.
func Hello(name string) string {
	return fmt.Sprintf("Hello, %s!", name)
}

// Goodbye takes leave of somebody.
func Goodbye(name string) string {
	return fmt.Sprintf("Goodbye, %s.", name)
}
