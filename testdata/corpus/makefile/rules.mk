# Rules that several projects share.
GO ?= go
ifndef BIN
BIN = bin
endif

%.pb.go: %.proto
	protoc --go_out=. $<

$(BIN)/%: cmd/% ; $(GO) build -o $@ ./$<

.PHONY: fmt
fmt:
	$(GO) fmt ./...

define half_typed
echo

vet: fmt
	$(GO) vet ./...
