// A language host that writes SDKs and programs, adds SDKs to programs for Node.js, and leaves everything else to an older host.
//
// The Go module proxy has the generators of every version of Pulumi, but hosts only up to 3.66, which cannot generate. This program is
// named after a host, such as pulumi-language-python, and starts the host of that name in the folder "hosts" beside it.
package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

const prefix = "pulumi-language-"

func main() {
	if err := start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func start() error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	name := strings.TrimSuffix(filepath.Base(program), ".exe")
	language, known := languages[strings.TrimPrefix(name, prefix)]
	if !known {
		return fmt.Errorf("%s is not the name of a language host that can be generated for", name)
	}
	host := exec.Command(filepath.Join(filepath.Dir(program), "hosts", filepath.Base(program)), os.Args[1:]...)
	port, err := portOf(host)
	if err != nil {
		return fmt.Errorf("%s did not start: %w", host.Path, err)
	}
	return serve(port, language, host)
}

// A host prints its port on the first line of its output; what it prints later belongs to the program.
func portOf(host *exec.Cmd) (string, error) {
	host.Stderr = os.Stderr
	output, err := host.StdoutPipe()
	if err != nil {
		return "", err
	}
	if err := host.Start(); err != nil {
		return "", err
	}
	reader := bufio.NewReader(output)
	line, err := reader.ReadString('\n')
	if err != nil {
		return "", err
	}
	go func() { _, _ = reader.WriteTo(os.Stdout) }()
	return strings.TrimSpace(line), nil
}
