module pulumi-docs-org/generating-host

go 1.26

tool github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml

require (
	github.com/hashicorp/hcl/v2 v2.24.0
	github.com/pulumi/pulumi-yaml v1.38.1
	github.com/pulumi/pulumi/pkg/v3 v3.259.0
	github.com/pulumi/pulumi/sdk/v3 v3.259.0
	google.golang.org/grpc v1.83.1
	google.golang.org/protobuf v1.36.12
)
