package tools

import (
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// TestTypesAndLanguages lists, for each type and language, how its files are
// known: clients branch on both.
func TestTypesAndLanguages(t *testing.T) {
	for _, c := range []struct {
		kind            contentType
		language, names string
	}{
		{typeSource, "c", "a.c a.h"}, {typeSource, "cpp", "a.cc a.cpp a.cxx a.c++ a.hh a.hpp a.hxx a.ipp a.inl"},
		{typeSource, "csharp", "a.cs a.csx"}, {typeSource, "css", "a.css"}, {typeSource, "scss", "a.scss"},
		{typeSource, "less", "a.less"}, {typeSource, "cue", "a.cue"}, {typeSource, "dart", "a.dart"},
		{typeSource, "elixir", "a.ex a.exs"}, {typeSource, "elm", "a.elm"}, {typeSource, "erlang", "a.erl a.hrl"},
		{typeSource, "go", "a.go A.GO x.y.go"}, {typeSource, "groovy", "a.groovy a.gradle Jenkinsfile"},
		{typeSource, "haskell", "a.hs a.lhs"}, {typeSource, "html", "a.html a.htm a.xhtml"}, {typeSource, "java", "a.java"},
		{typeSource, "javascript", "a.js a.mjs a.cjs"}, {typeSource, "javascriptreact", "a.jsx"},
		{typeSource, "julia", "a.jl"}, {typeSource, "kotlin", "a.kt a.kts"}, {typeSource, "lua", "a.lua"},
		{typeSource, "objective-c", "a.m a.mm"}, {typeSource, "ocaml", "a.ml a.mli"}, {typeSource, "perl", "a.pl a.pm"},
		{typeSource, "php", "a.php a.phtml"}, {typeSource, "proto", "a.proto"}, {typeSource, "python", "a.py a.pyi a.pyw"},
		{typeSource, "r", "a.r a.R"}, {typeSource, "ruby", "a.rb a.rake a.gemspec Rakefile Gemfile"}, {typeSource, "rust", "a.rs"},
		{typeSource, "scala", "a.scala a.sc a.sbt"}, {typeSource, "shellscript", "a.sh a.bash a.zsh a.ksh"},
		{typeSource, "fish", "a.fish"}, {typeSource, "sql", "a.sql"}, {typeSource, "svelte", "a.svelte"},
		{typeSource, "swift", "a.swift"}, {typeSource, "typescript", "a.ts a.mts a.cts a.d.ts"},
		{typeSource, "typescriptreact", "a.tsx"}, {typeSource, "vue", "a.vue"}, {typeSource, "zig", "a.zig"},
		{typeSource, "makefile", "a.mk a.mak Makefile GNUmakefile"}, {typeSource, "dockerfile", "Dockerfile Containerfile"},
		{typeSource, "cmake", "a.cmake CMakeLists.txt"}, {typeSource, "powershell", "a.ps1 a.psm1"},
		{typeSource, "bat", "a.bat a.cmd"}, {typeSource, "vim", "a.vim"}, {typeSource, "nix", "a.nix"},
		{typeSource, "clojure", "a.clj a.cljs a.cljc a.edn"}, {typeSource, "fsharp", "a.fs a.fsi a.fsx"},
		{typeSource, "graphql", "a.graphql a.gql"}, {typeSource, "asm", "a.s a.asm"}, {typeSource, "tex", "a.tex"},
		{typeConfig, "json", "a.json a.webmanifest"}, {typeConfig, "jsonc", "a.jsonc"}, {typeConfig, "json5", "a.json5"},
		{typeConfig, "yaml", "a.yaml a.yml"}, {typeConfig, "toml", "a.toml"}, {typeConfig, "xml", "a.xml a.xsd a.xsl a.plist a.svg"},
		{typeConfig, "ini", "a.ini a.cfg a.conf"}, {typeConfig, "properties", "a.properties"},
		{typeConfig, "terraform", "a.tf a.tfvars"}, {typeConfig, "hcl", "a.hcl"},
		{typeConfig, "go.mod", "go.mod"}, {typeConfig, "go.sum", "go.sum"}, {typeConfig, "go.work", "go.work"},
		{typeConfig, "ignore", ".gitignore"}, {typeConfig, "editorconfig", ".editorconfig"},
		{typeText, "markdown", "a.md a.markdown a.mdx"}, {typeText, "plaintext", "a.txt a.text"},
		{typeText, "restructuredtext", "a.rst"}, {typeText, "asciidoc", "a.adoc a.asciidoc"}, {typeText, "diff", "a.diff a.patch"},
		{typeLog, "log", "a.log a.out"}, {typeTable, "csv", "a.csv"}, {typeTable, "tsv", "a.tsv"},
		{typeText, "", "README a.unknown a.go.orig .bashrc-not"}, {typeMinified, "javascript", "a.min.js"},
	} {
		for name := range strings.FieldsSeq(c.names) {
			checkClass(t, name, "", "text\n", c.kind, c.language)
		}
	}
}

func TestScriptsAreKnownByTheirFirstLine(t *testing.T) {
	for line, language := range map[string]string{
		"#!/bin/sh": "shellscript", "#!/usr/bin/env bash": "shellscript", "#!/bin/dash": "shellscript", "#!/bin/zsh": "shellscript",
		"#!/usr/bin/env -S python3.12 -u": "python", "#!/usr/bin/env node": "javascript", "#!/usr/bin/env -S deno run": "typescript",
		"#!/usr/bin/ruby": "ruby", "#!/usr/bin/perl -w": "perl", "#!/usr/bin/php": "php", "#!/usr/bin/lua5.4": "lua",
		"#!/usr/bin/luajit": "lua", "#!/usr/bin/env groovy": "groovy", "#!/usr/bin/env elixir": "elixir", "#!/usr/bin/swift": "swift",
		"#!/usr/bin/tclsh": "tcl", "#!/usr/bin/awk -f": "awk", "#!/usr/bin/gawk -f": "awk", "#!/usr/bin/make -f": "makefile",
		"#!/usr/bin/env Rscript": "r", "#!/usr/bin/fish": "fish", "#!/opt/own/program": "",
	} {
		checkClass(t, "script", "", line+"\n", typeSource, language)
	}
}

func TestTheEditorsWordCounts(t *testing.T) {
	checkClass(t, "Untitled-1", "go", "", typeSource, "go")
	checkClass(t, "a.txt", "markdown", "", typeText, "markdown")
	checkClass(t, "a.py", "plaintext", "", typeSource, "plaintext")
	checkClass(t, "a.py", "starlark", "", typeSource, "starlark")
}

func checkClass(t *testing.T, name, editors, content string, kind contentType, language string) {
	t.Helper()
	f := &buffers.File{Path: workspace.Path{Rel: "dir/" + name}, Content: text.New(content)}
	if editors != "" {
		f.Document = &buffers.Document{LanguageID: editors}
	}
	if k, l := classify(f); k != kind || l != language {
		t.Errorf("%s is taken for %s, %q; it is %s, %q", name, k, l, kind, language)
	}
}
