module pulumi-docs-org/language-host

go 1.26

tool (
	github.com/pulumi/pulumi/sdk/v3/go/pulumi-language-go
	github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs
	github.com/pulumi/pulumi/sdk/v3/python/cmd/pulumi-language-python
)

require github.com/pulumi/pulumi/sdk/v3 v3.66.0
