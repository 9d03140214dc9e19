# make demo   the main job, for real, as a readable transcript
# make test   everything: unit, property and scenario tests, race detector,
#             lint, published MCP clients, the plugins in a real Neovim, Emacs
#             and VS Code
# make test-editors, make test-clients  these parts alone
# make test-hosts  real assistants against a scripted model: Claude Code, Codex,
#             Gemini CLI, opencode, Copilot CLI, Qwen Code; about 1.3 GB from
#             npm; HOST=codex for one of them. make test has the two lightest
# make test-windows  the program for Windows under wine: unit, scenario, fault and
#             kill tests, and as its user has it; sets wine up beside the host
#             (1.2 GB), and says so where that cannot be had. PKG=./internal/fsys
# make check  the everyday loop: build, vet, unit and scenario tests, those of
#             many cases scaled down (docs/testing.md)
# make dist   what is released, in dist/: archives, extensions, the plugin,
#             an SBOM, checksums; TARGETS='linux-x64 ...' (docs/release.md)
# make try-dist  the lines that install it, in an empty home folder
# make pictures  the pictures of the docs, from what really runs
# make judge  outlines of real code against ctags and the TypeScript compiler
# make bench  speed and memory, as ratios against floors in the same run;
#             ONLY=search for one group of rows; setup-bench.sh fetches what it needs.
#             ONLY=tokens: what tasks cost a model, ours against other tools;
#             TASKS=def-go SETS=ours SHOW=1 for calls and answers, UPDATE=1 for docs/tokens.md
# make mutants PKG=./buffers  random changes of a package, and which of them no
#             test notices; N=100 SEED=1 FILES=regexp (docs/testing.md)
# make soak   everybody at work at once, for SOAKTIME (default 30m) by SEED
# make fuzz   all fuzz targets, FUZZTIME (default 20m) shared by them; compiling
#             is not counted; PKG=./syntax for those of one package
# make asan   the grammars and the walk under the address sanitizer, with every
#             language's tests; compiles all grammars again, so it stands alone

GO       ?= go
FUZZTIME ?= 20m
SOAKTIME ?= 30m
# What differs between systems, checked for those that nothing runs on here.
PORTABLE := ./cmd/... ./rpc/... ./tools/... ./outline/... ./syntax/... ./buffers/... ./internal/fsys ./internal/settings ./internal/gitignore ./internal/statedir ./internal/workspace ./internal/catalog ./internal/atomicfile ./internal/search/... ./internal/media/... ./internal/output/...
# The version is in the file VERSION; what is not a release says which commit.
VERSION  := $(shell cat VERSION)-dev+$(shell git describe --always --exclude '*' --dirty=.dirty 2>/dev/null || echo unknown)

.PHONY: all build check demo test test-editors test-clients test-hosts test-windows lint generate judge bench mutants soak fuzz asan dist try-dist pictures update setup

all: build

build:
	$(GO) build -trimpath -ldflags "-s -w -X main.version=$(VERSION)" -o bin/agent-lsp ./cmd/agent-lsp

setup:
	@.ci/setup.sh

# Many tests wait, for a time limit or the disk: so more of them run side by
# side than there are cores, in a package (-parallel) and in all (-p).
check: build
	$(GO) vet ./...
	$(GO) test -short -p 4 -parallel 8 ./...

test: setup build
	$(GO) vet ./...
	GOOS=darwin CGO_ENABLED=0 $(GO) vet $(PORTABLE)
	GOOS=windows CGO_ENABLED=0 $(GO) vet $(PORTABLE)
	$(GO) test -race -timeout 60m -parallel 4 ./...
	$(GO) test -run 'TestHooks$$' ./cmd/agent-lsp
	$(GO) test -run EditsLeakNothing ./outline -edits 100000
	$(GO) test -run GoneOn ./outline -reuses 60
	$(GO) test -run Reparse ./syntax -reparses 40
	$(MAKE) test-clients
	$(MAKE) test-hosts HOST='qwen gemini'
	$(MAKE) test-editors
	$(MAKE) lint

# MCP by published clients: the SDKs, the inspector, the conformance suite, ACP.
test-clients: build
	rpc/mcp/clients/run.sh bin/agent-lsp

test-editors: build
	AGENT_LSP=$(CURDIR)/bin/agent-lsp editor-clients/neovim/tests/run.sh
	AGENT_LSP=$(CURDIR)/bin/agent-lsp editor-clients/emacs/run.sh
	AGENT_LSP=$(CURDIR)/bin/agent-lsp editor-clients/vscode/tests/run.sh

# Assistants as they come from npm, each as `setup` leaves it.
test-hosts: build
	AGENT_LSP=$(CURDIR)/bin/agent-lsp GO='$(GO)' .ci/hosts.sh $(HOST)

test-windows:
	.ci/test-windows.sh $(PKG)

lint: setup
	.ci/golangci.sh
	.ci/tidy.sh

demo: setup build
	AGENT_LSP=$(CURDIR)/bin/agent-lsp .ci/demo.sh

judge: setup
	$(GO) test -count=1 -v -run 'TestOutlines|TestInvariants' ./internal/judge $(if $(LIST),-differences) $(if $(OTHER),-other)

bench: setup build
	.ci/setup-bench.sh $(ONLY)
	$(GO) run ./internal/bench/cmd -server bin/agent-lsp $(if $(ONLY),-only $(ONLY)) $(if $(UPDATE),-update) $(if $(TASKS),-tasks '$(TASKS)') $(if $(SETS),-sets '$(SETS)') $(if $(SHOW),-show)

mutants:
	$(GO) run ./internal/mutants/cmd -pkg $(PKG) -n $(or $(N),100) -seed $(or $(SEED),1) -files '$(FILES)' $(if $(VERBOSE),-v)

pictures: setup build
	AGENT_LSP=$(CURDIR)/bin/agent-lsp .ci/pictures/make.sh

dist:
	.ci/dist.sh $(TARGETS)

try-dist: build
	.ci/try-dist.sh

# What is made from the program: pages of the docs, sizes of MCP's lists, and
# the VS Code extension's types, settings and tools. Tests fail where it is old.
generate: setup
	$(GO) test ./internal/reference -update
	$(GO) test ./cmd/agent-lsp -run Reference -update
	$(GO) test ./rpc/mcp -run Lists -update
	$(GO) test ./syntax -run LanguagesPage -update
	cd editor-clients/vscode && { [ node_modules/.package-lock.json -nt package-lock.json ] || npm ci --ignore-scripts --no-audit --no-fund --silent; } && npm run --silent generate

# What tests expect, written anew: answers, selections of output, hosts' files.
# Read the difference.
update:
	$(GO) test ./internal/scenario -run 'TestScenarios$$' -update
	$(GO) test ./tools -run TestAnswers -update
	$(GO) test ./internal/output -run TestSamples -update
	$(GO) test ./internal/setup -update

# -v, because what the processes hold over time is told as it is measured.
soak: build
	$(GO) test ./internal/soak -count=1 -v -timeout 0 -run TestSoak -soak $(SOAKTIME) -seed $(or $(SEED),1) -program $(CURDIR)/bin/agent-lsp

fuzz: setup
	GO='$(GO)' FUZZTIME=$(FUZZTIME) .ci/fuzz.sh $(PKG)

# What leaks is found at the end of the tests.
asan: setup
	$(GO) test -asan -timeout 1h -count=1 -run 'Reparse|Splice|Fuzz|Outline|GoneOn' ./syntax ./outline
