// node notices.mjs PROGRAM: prints the notices of everything in a release that others wrote.
import fs from 'node:fs';
import { goModules, goRoot, goVersion, grammars, licenceTexts, npmPackages } from './parts.mjs';

const modules = goModules(process.argv[2]);
const out = [
  'agent-lsp holds the work of others. Here is what they ask to be told with it.',
  'The grammars are compiled from generated C: of modules below, or of the repositories listed at the end.',
];

const section = (title, texts) => out.push('='.repeat(80), title, '='.repeat(80), ...texts);

section(`Go ${goVersion()}, its standard library`, licenceTexts(goRoot()));
for (const m of modules) section(`${m.name} ${m.version}`, licenceTexts(m.folder));
for (const p of npmPackages()) section(`${p.name} ${p.version} (in the VS Code extension)`, licenceTexts(p.folder));
section('GNU C library and GCC run-time library (linked into the programs for Linux)', [
  'The GNU C library is under the LGPL 2.1 or later. To link agent-lsp with another version of it, build',
  'it from the source of the same version, which is complete: https://github.com/agent-lsp/agent-lsp.',
  'The run-time library of GCC is under the GPL 3 with the GCC Runtime Library Exception.',
  ...['/usr/share/doc/libc6/copyright', '/usr/share/common-licenses/LGPL-2.1'].map((f) => fs.readFileSync(f, 'utf8').trim()),
]);
section('Grammars in go-tree-sitter and go-sitter-forest; the licence of each is in its repository', grammars(modules).map((g) => `${g.name}: ${g.url}/tree/${g.revision}`));
console.log(out.join('\n\n'));
