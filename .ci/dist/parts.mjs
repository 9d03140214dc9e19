// What a release is made of, read from the program that was linked and from the extension's lock file.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const repo = path.resolve(import.meta.dirname, '../..');
const extension = path.join(repo, 'editor-clients/vscode');
const go = (...args) => execFileSync('go', args, { cwd: repo, encoding: 'utf8' });

/** The Go modules in a program: name, version, checksum (base64 of SHA-256 over the module), folder. */
export function goModules(program) {
  const linked = go('version', '-m', program)
    .split('\n')
    .map((line) => line.split('\t').slice(1))
    .filter(([kind]) => kind === 'dep');
  const folders = JSON.parse(`[${go('list', '-m', '-json', ...linked.map(([, name]) => name)).replaceAll('\n}\n{', '\n},\n{')}]`);
  return linked.map(([, name, version, sum]) => {
    const module = folders.find((m) => m.Path === name);
    if (module?.Version !== version) throw new Error(`${name}: the program has ${version}, go.mod ${module?.Version}`);
    return { name, version, sum, folder: module.Dir };
  });
}

/** The grammars that modules hold copies of: those of go-tree-sitter, by its own list, of which folders are imported, and go-sitter-forest's. */
export function grammars(modules) {
  const { folder } = modules.find((m) => m.name === 'github.com/smacker/go-tree-sitter');
  const used = new Set(
    go('list', '-deps', '-f', '{{.ImportPath}}', './cmd/agent-lsp')
      .split('\n')
      .filter((p) => p.startsWith('github.com/smacker/go-tree-sitter/'))
      .map((p) => p.split('/')[3]),
  );
  const read = (...name) => JSON.parse(fs.readFileSync(path.join(...name), 'utf8'));
  const list = read(folder, '_automation/grammars.json');
  for (const name of used) if (!list.some((g) => g.language === name)) throw new Error(`where the grammar ${name} is from is not known`);
  const forest = modules.filter((m) => m.name.includes('/go-sitter-forest/')).map((m) => read(m.folder, 'grammar.json'));
  return [...list.filter((g) => used.has(g.language)), ...forest].map(({ language, url, revision }) => ({ name: language, url, revision }));
}

/** The Go tools that the program was linked by, whose library is in it. */
export const goVersion = () => go('env', 'GOVERSION').trim().replace(/^go/, '');

export const goRoot = () => go('env', 'GOROOT').trim();

/** The npm packages in the extension's bundle: all that the lock file has and no tool of ours. */
export function npmPackages() {
  const { packages } = JSON.parse(fs.readFileSync(path.join(extension, 'package-lock.json'), 'utf8'));
  return Object.entries(packages)
    .filter(([where, p]) => where !== '' && !p.dev && !p.optional)
    .map(([where, { version, integrity, license }]) => ({
      name: where.replace(/^.*node_modules\//, ''),
      version, integrity, license,
      folder: path.join(extension, where),
    }));
}

/** The texts of a folder's licences, by file name. */
export function licenceTexts(folder) {
  const names = fs.readdirSync(folder).filter((n) => /^(licen[cs]e|copying|notice|patents|thirdpartynotices)/i.test(n)).sort();
  if (names.length === 0) throw new Error(`no licence in ${path.basename(folder)}`);
  return names.map((name) => fs.readFileSync(path.join(folder, name), 'utf8').trim());
}

/** The SPDX name of a licence by its text. */
export function spdx(text) {
  if (/Apache License\s+Version 2\.0/.test(text)) return 'Apache-2.0';
  if (/Permission is hereby granted, free of charge/.test(text)) return 'MIT';
  if (/Redistribution and use in source and binary forms/.test(text)) return /Neither the name/.test(text) ? 'BSD-3-Clause' : 'BSD-2-Clause';
  if (/Permission to use, copy, modify, and\/or distribute/.test(text)) return 'ISC';
  throw new Error(`a licence that is not known: ${text.slice(0, 200)}`);
}
