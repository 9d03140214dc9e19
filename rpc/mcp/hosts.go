package mcp

import (
	"strconv"
	"strings"
)

// host is what is known of the programs that assistants run in.
type host struct {
	// name is how what it calls itself in the handshake begins.
	name string
	// shows is how many bytes of an answer it shows the model as they are.
	shows int
	// hints tells that it reads hints in the _meta of tools.
	hints bool
	// limit is the environment variable, passed on to the servers that it starts,
	// that says how many tokens of an answer it shows; "" where there is none.
	limit string
}

// unknownShows is for hosts that are not known: the least of the known shows more.
const unknownShows = 16 << 10

// hosts returns those that were measured, in November 2026: an answer of a known
// length, and what of it a model was sent. They count characters, of which there
// are never more than bytes. Gemini CLI and Qwen Code let the limit be set in their
// settings, Codex in its configuration; none of them tells servers.
func hosts() []host {
	return []host{
		{"claude-code", 50_000, true, "MAX_MCP_OUTPUT_TOKENS"}, // Claude Code 2.1: over 50,000 a preview of 2 KB and a file, but for tools with sizeHint
		{"codex-mcp-client", 48_000, false, ""},                // Codex 0.169: 48,018 remain, the middle is cut out
		{"gemini-cli-mcp-client", 40_000, false, ""},           // Gemini CLI 0.61: the first 8,000 and the last 32,000
		{"opencode", 51_200, false, ""},                        // opencode 1.18: 51.2 KB
		{"copilot-cli", 20_500, false, ""},                     // Copilot CLI 1.0: over 20,500 a preview of 500
		{"qwen-", 25_000, false, ""},                           // Qwen Code 0.15: 25,000; its name ends with the server's
	}
}

// hostOf returns what is known of a client, by its name.
func hostOf(name string) host {
	for _, h := range hosts() {
		if strings.HasPrefix(name, h.name) {
			return h
		}
	}
	return host{shows: unknownShows}
}

const (
	// shownPerToken is how many bytes of an answer are shown, for sure, for each token
	// of a limit: Claude Code 2.1 takes four characters for a token, and passes on
	// uncounted what by that takes half of the limit.
	shownPerToken = 2
	// leastShown is the least that a limit is taken for, in bytes.
	leastShown = 4 << 10
)

// room returns how many bytes of an answer the host shows. What it says itself, in
// an environment that getenv reads, makes it less and never more: a large limit is
// mostly set for other servers, and what a call asks for beyond room is shown, too.
func (h host) room(getenv func(string) string) int {
	if h.limit == "" || getenv == nil {
		return h.shows
	}
	tokens, err := strconv.Atoi(strings.TrimSpace(getenv(h.limit)))
	if err != nil || tokens <= 0 || tokens > h.shows {
		return h.shows
	}
	return min(h.shows, max(tokens*shownPerToken, leastShown))
}

// Hints for hosts that read them in a tool's _meta: Claude Code shows answers up to
// that many characters, and loads the tool without being asked for it.
const (
	sizeHint = "anthropic/maxResultSizeChars"
	loadHint = "anthropic/alwaysLoad"
)

// mostShown is the longest answer there is, in characters: a window of 256 KB with
// its line numbers.
const mostShown = 500_000
