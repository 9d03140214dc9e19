// Sources that outlines are judged on. A module of its own, so that the
// program does not depend on them; nothing here is compiled, and "go mod tidy"
// would empty it. Fetched by .ci/setup.sh.
module github.com/agent-lsp/agent-lsp/internal/judge/sources

go 1.26

require (
	github.com/CosmWasm/wasmvm/v3 v3.0.0
	github.com/apache/thrift v0.22.0
	github.com/google/flatbuffers v25.12.19+incompatible
	github.com/junegunn/fzf v0.65.0
	github.com/sqlc-dev/sqlc v1.30.0
)
