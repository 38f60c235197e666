package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"github.com/hashicorp/hcl/v2"
	golang "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/hcl2/syntax"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/pcl"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
	"github.com/pulumi/pulumi/pkg/v3/resource/plugin"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/protobuf/proto"
)

type files = map[string][]byte

// What Pulumi's generators can write in a language.
type language struct {
	sdk     func(pkg *schema.Package, request *pulumirpc.GeneratePackageRequest, loader schema.ReferenceLoader) (files, error)
	program func(program *pcl.Program) (files, hcl.Diagnostics, error)
	// Adds SDKs to a program for `pulumi package add`, or nil if the host answers.
	link func(request []byte) (proto.Message, error)
}

var languages = map[string]language{
	"go": {
		sdk: func(pkg *schema.Package, request *pulumirpc.GeneratePackageRequest, _ schema.ReferenceLoader) (files, error) {
			return golang.GeneratePackage(prefix+"go", pkg, request.LocalDependencies)
		},
		program: golang.GenerateProgram,
	},
	"nodejs": {
		sdk: func(pkg *schema.Package, request *pulumirpc.GeneratePackageRequest, loader schema.ReferenceLoader) (files, error) {
			return nodejs.GeneratePackage(
				prefix+"nodejs", pkg, request.ExtraFiles, request.LocalDependencies, request.Local, loader)
		},
		program: nodejs.GenerateProgram,
		link:    linkNodejs,
	},
	"python": {
		sdk: func(pkg *schema.Package, request *pulumirpc.GeneratePackageRequest, loader schema.ReferenceLoader) (files, error) {
			return python.GeneratePackage(prefix+"python", pkg, request.ExtraFiles, loader)
		},
		program: python.GenerateProgram,
	},
}

// The function that answers a method here, or nil if the host answers it.
func (l language) method(name string) func(request []byte) (proto.Message, error) {
	switch strings.TrimPrefix(name, service) {
	case "GeneratePackage":
		return l.generatePackage
	case "GenerateProgram":
		return l.generateProgram
	case "Link":
		return l.link
	}
	return nil
}

func (l language) generatePackage(data []byte) (proto.Message, error) {
	var request pulumirpc.GeneratePackageRequest
	if err := proto.Unmarshal(data, &request); err != nil {
		return nil, err
	}
	loader, err := schema.NewLoaderClient(request.LoaderTarget)
	if err != nil {
		return nil, err
	}
	defer loader.Close()
	var spec schema.PackageSpec
	if err := json.Unmarshal([]byte(request.Schema), &spec); err != nil {
		return nil, err
	}
	pkg, diagnostics, err := schema.BindSpec(spec, loader, schema.ValidationOptions{AllowDanglingReferences: true})
	if err != nil {
		return nil, err
	}
	reply := &pulumirpc.GeneratePackageResponse{Diagnostics: plugin.HclDiagnosticsToRPCDiagnostics(diagnostics)}
	if diagnostics.HasErrors() {
		return reply, nil
	}
	written, err := l.sdk(pkg, &request, loader)
	if err != nil {
		return nil, err
	}
	return reply, write(request.Directory, written)
}

func (l language) generateProgram(data []byte) (proto.Message, error) {
	var request pulumirpc.GenerateProgramRequest
	if err := proto.Unmarshal(data, &request); err != nil {
		return nil, err
	}
	loader, err := schema.NewLoaderClient(request.LoaderTarget)
	if err != nil {
		return nil, err
	}
	defer loader.Close()
	parser := syntax.NewParser()
	for name, text := range request.Source {
		if err := parser.ParseFile(strings.NewReader(text), name); err != nil {
			return nil, err
		}
	}
	diagnostics := parser.Diagnostics
	if diagnostics.HasErrors() {
		return refused(diagnostics), nil
	}
	var options []pcl.BindOption
	if !request.Strict {
		options = pcl.NonStrictBindOptions()
	}
	program, bound, err := pcl.BindProgram(parser.Files, schema.NewCachedLoader(loader), options...)
	if err != nil {
		return nil, err
	}
	diagnostics = append(diagnostics, bound...)
	if diagnostics.HasErrors() {
		return refused(diagnostics), nil
	}
	source, generated, err := l.program(program)
	if err != nil {
		return nil, err
	}
	reply := refused(append(diagnostics, generated...))
	reply.Source = source
	return reply, nil
}

func refused(diagnostics hcl.Diagnostics) *pulumirpc.GenerateProgramResponse {
	return &pulumirpc.GenerateProgramResponse{Diagnostics: plugin.HclDiagnosticsToRPCDiagnostics(diagnostics)}
}

func write(folder string, written files) error {
	for name, text := range written {
		target := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(target, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
