// The inspector's command-line mode, in the three eras that it knows.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { binary, check, workspace } from './check.mjs';

const inspector = fileURLToPath(new URL('node_modules/.bin/mcp-inspector', import.meta.url));

// inspect returns how the inspector ends, and what it prints.
function inspect(w, args) {
  return new Promise((resolve) => {
    execFile(process.execPath, [inspector, '--cli', binary, 'mcp', '--root', w.dir, ...args, '--format', 'json', '-q'],
      { env: w.env, timeout: 60_000 }, (error, stdout, stderr) => resolve({ code: error ? error.code : 0, stdout, stderr }));
  });
}

export async function run() {
  const w = workspace();
  await check('inspector: tools are portable', async () => {
    const { code, stdout, stderr } = await inspect(w, ['--method', 'tools/list', '--strict']);
    assert.equal(code, 0, stdout + stderr);
  });
  for (const era of ['legacy', 'auto', 'modern']) {
    await check(`inspector: ${era}`, async () => {
      const read = ['--method', 'tools/call', '--tool-name', 'read_file', '--tool-arg', 'path=a.txt', '--protocol-era', era];
      const { code, stdout, stderr } = await inspect(w, read);
      assert(code === 0 && stdout.includes('2|<two>'), `${code} ${stdout} ${stderr}`);
    });
  }
  await check('inspector: unknown tool', async () => {
    const { code } = await inspect(w, ['--method', 'tools/call', '--tool-name', 'brew']);
    assert.equal(code, 5);
  });
  w.remove();
}
