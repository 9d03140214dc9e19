// node try-vscode.mjs EXTENSIONS: types in a real VS Code that has the extensions of that folder, and prints what an assistant reads
// with the program that came with the extension.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { Workbench, until } from '../../editor-clients/vscode/tests/e2e/workbench.mjs';

const extensions = process.env.EXTENSIONS;
const ours = fs.readdirSync(extensions).find((n) => n.startsWith('agent-lsp.agent-lsp-'));
const program = path.join(extensions, ours, 'server/agent-lsp');
const w = await Workbench.start({ files: { 'a.txt': 'saved\n' } });
try {
  await w.show('a.txt');
  await w.type('typed ');
  const ask = () => execFileSync(process.execPath, [path.join(import.meta.dirname, 'ask.mjs'), w.folder, 'a.txt', program, 'mcp'], { env: w.env, encoding: 'utf8' });
  let seen = '';
  await until(() => (seen = ask()).includes('typed saved'), 20_000);
  console.log(seen);
  if (w.read('a.txt') !== 'saved\n') throw new Error('the file on disk has changed');
} finally {
  await w.stop();
}
