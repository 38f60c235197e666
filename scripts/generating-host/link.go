package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/pulumi/pulumi/sdk/v3/nodejs/npm"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/protobuf/proto"
)

// Names generated SDKs in the package.json of a program, as the CLI's own host does for `pulumi package add`.
func linkNodejs(data []byte) (proto.Message, error) {
	var request pulumirpc.LinkRequest
	if err := proto.Unmarshal(data, &request); err != nil {
		return nil, err
	}
	program := request.Info.ProgramDirectory
	manager, err := npm.ResolvePackageManager(npm.AutoPackageManager, program)
	if err != nil {
		return nil, err
	}
	instructions := "You can import the SDK in your TypeScript code with:\n\n"
	for _, sdk := range request.Packages {
		text, err := os.ReadFile(filepath.Join(program, sdk.Path, "package.json"))
		if err != nil {
			return nil, err
		}
		var manifest struct{ Name string }
		if err := json.Unmarshal(text, &manifest); err != nil {
			return nil, err
		}
		if err := manager.Link(context.Background(), program, manifest.Name, sdk.Path); err != nil {
			return nil, err
		}
		instructions += fmt.Sprintf("  import * as %s from \"%s\";\n", sdk.Package.Name, manifest.Name)
	}
	return &pulumirpc.LinkResponse{ImportInstructions: instructions}, nil
}
