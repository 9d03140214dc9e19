package toolcall

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
		kind            ContentType
		language, names string
	}{
		{TypeSource, "c", "a.c a.h"}, {TypeSource, "cpp", "a.cc a.cpp a.cxx a.c++ a.hh a.hpp a.hxx a.ipp a.inl"},
		{TypeSource, "csharp", "a.cs a.csx"}, {TypeSource, "css", "a.css"}, {TypeSource, "scss", "a.scss"},
		{TypeSource, "less", "a.less"}, {TypeSource, "cue", "a.cue"}, {TypeSource, "dart", "a.dart"},
		{TypeSource, "elixir", "a.ex a.exs"}, {TypeSource, "elm", "a.elm"}, {TypeSource, "erlang", "a.erl a.hrl"},
		{TypeSource, "go", "a.go A.GO x.y.go"}, {TypeSource, "groovy", "a.groovy a.gradle Jenkinsfile"},
		{TypeSource, "haskell", "a.hs a.lhs"}, {TypeSource, "html", "a.html a.htm a.xhtml"}, {TypeSource, "java", "a.java"},
		{TypeSource, "javascript", "a.js a.mjs a.cjs"}, {TypeSource, "javascriptreact", "a.jsx"},
		{TypeSource, "julia", "a.jl"}, {TypeSource, "kotlin", "a.kt a.kts"}, {TypeSource, "lua", "a.lua"},
		{TypeSource, "objective-c", "a.m a.mm"}, {TypeSource, "ocaml", "a.ml a.mli"}, {TypeSource, "perl", "a.pl a.pm"},
		{TypeSource, "php", "a.php a.phtml"}, {TypeSource, "proto", "a.proto"}, {TypeSource, "python", "a.py a.pyi a.pyw"},
		{TypeSource, "r", "a.r a.R"}, {TypeSource, "ruby", "a.rb a.rake a.gemspec Rakefile Gemfile"}, {TypeSource, "rust", "a.rs"},
		{TypeSource, "scala", "a.scala a.sc a.sbt"}, {TypeSource, "shellscript", "a.sh a.bash a.zsh a.ksh"},
		{TypeSource, "fish", "a.fish"}, {TypeSource, "sql", "a.sql"}, {TypeSource, "svelte", "a.svelte"},
		{TypeSource, "swift", "a.swift"}, {TypeSource, "typescript", "a.ts a.mts a.cts a.d.ts"},
		{TypeSource, "typescriptreact", "a.tsx"}, {TypeSource, "vue", "a.vue"}, {TypeSource, "zig", "a.zig"},
		{TypeSource, "makefile", "a.mk a.mak Makefile GNUmakefile"}, {TypeSource, "dockerfile", "Dockerfile Containerfile"},
		{TypeSource, "cmake", "a.cmake CMakeLists.txt"}, {TypeSource, "powershell", "a.ps1 a.psm1"},
		{TypeSource, "bat", "a.bat a.cmd"}, {TypeSource, "vim", "a.vim"}, {TypeSource, "nix", "a.nix"},
		{TypeSource, "clojure", "a.clj a.cljs a.cljc a.edn"}, {TypeSource, "fsharp", "a.fs a.fsi a.fsx"},
		{TypeSource, "graphql", "a.graphql a.gql"}, {TypeSource, "asm", "a.s a.asm"}, {TypeSource, "tex", "a.tex"},
		{TypeConfig, "json", "a.json a.webmanifest"}, {TypeConfig, "jsonc", "a.jsonc"}, {TypeConfig, "json5", "a.json5"},
		{TypeConfig, "yaml", "a.yaml a.yml"}, {TypeConfig, "toml", "a.toml"}, {TypeConfig, "xml", "a.xml a.xsd a.xsl a.plist a.svg"},
		{TypeConfig, "ini", "a.ini a.cfg a.conf"}, {TypeConfig, "properties", "a.properties"},
		{TypeConfig, "terraform", "a.tf a.tfvars"}, {TypeConfig, "hcl", "a.hcl"},
		{TypeConfig, "go.mod", "go.mod"}, {TypeConfig, "go.sum", "go.sum"}, {TypeConfig, "go.work", "go.work"},
		{TypeConfig, "ignore", ".gitignore"}, {TypeConfig, "editorconfig", ".editorconfig"},
		{TypeText, "markdown", "a.md a.markdown a.mdx"}, {TypeText, "plaintext", "a.txt a.text"},
		{TypeText, "restructuredtext", "a.rst"}, {TypeText, "asciidoc", "a.adoc a.asciidoc"}, {TypeText, "diff", "a.diff a.patch"},
		{TypeLog, "log", "a.log a.out"}, {TypeTable, "csv", "a.csv"}, {TypeTable, "tsv", "a.tsv"},
		{TypeText, "", "README a.unknown a.go.orig .bashrc-not"}, {TypeMinified, "javascript", "a.min.js"},
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
		checkClass(t, "script", "", line+"\n", TypeSource, language)
	}
}

func TestTheEditorsWordCounts(t *testing.T) {
	checkClass(t, "Untitled-1", "go", "", TypeSource, "go")
	checkClass(t, "a.txt", "markdown", "", TypeText, "markdown")
	checkClass(t, "a.py", "plaintext", "", TypeSource, "plaintext")
	checkClass(t, "a.py", "starlark", "", TypeSource, "starlark")
}

func checkClass(t *testing.T, name, editors, content string, kind ContentType, language string) {
	t.Helper()
	f := &buffers.File{Path: workspace.Path{Rel: "dir/" + name}, Content: text.New(content)}
	if editors != "" {
		f.Document = &buffers.Document{LanguageID: editors}
	}
	if k, l := Classify(f); k != kind || l != language {
		t.Errorf("%s is taken for %s, %q; it is %s, %q", name, k, l, kind, language)
	}
}
