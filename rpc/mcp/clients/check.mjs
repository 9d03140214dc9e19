// What the tests of clients share: a workspace, and counting.
import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const binary = process.env.AGENT_LSP_BIN;

let passed = 0;
let failed = 0;

// check runs one test.
export async function check(name, run) {
  try {
    await run();
    passed++;
  } catch (error) {
    failed++;
    console.error(`FAILED ${name}: ${error?.stack ?? error}`);
  }
}

// report prints the sum and returns the exit code.
export function report() {
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 && passed > 0 ? 0 : 1;
}

// workspace is a folder with one file, and no session that could be found.
export function workspace() {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'agent-lsp-clients-')));
  writeFileSync(join(base, 'a.txt'), 'one\n<two>\n');
  const env = {
    PATH: process.env.PATH, HOME: base, TMPDIR: base,
    XDG_CONFIG_HOME: join(base, 'config'), XDG_CACHE_HOME: join(base, 'cache'), XDG_RUNTIME_DIR: base,
  };
  return { dir: base, env, remove: () => rmSync(base, { recursive: true, force: true }) };
}

// readsAndEdits has a client of either SDK do what an agent does.
export async function readsAndEdits(client, dir) {
  const { tools } = await client.listTools();
  const names = tools.map((t) => t.name);
  for (const name of ['read_file', 'grep_files', 'list_directory', 'outline', 'edit_file']) assert(names.includes(name), name);
  assert.equal(tools.find((t) => t.name === 'read_file').annotations.readOnlyHint, true);
  const read = await client.callTool({ name: 'read_file', arguments: { path: 'a.txt' } });
  const [{ text }] = read.content;
  assert(!read.isError && text.includes('2|<two>'), text);
  assert.equal(read.structuredContent, undefined);
  const [, hash] = text.match(/hash ([0-9a-f]{8,64})/);
  const edit = await client.callTool({
    name: 'edit_file', arguments: { path: 'a.txt', expected_hash: hash, old_text: '<two>', new_text: '<three>' },
  });
  assert(!edit.isError && edit.content[0].text.includes('no editor'), edit.content[0].text);
  const stale = await client.callTool({
    name: 'edit_file', arguments: { path: 'a.txt', expected_hash: hash, old_text: '<three>', new_text: 'x' },
  });
  assert(stale.isError && stale.content[0].text.startsWith('stale_file'), stale.content[0].text);
  const { resourceTemplates } = await client.listResourceTemplates();
  assert.equal(resourceTemplates[0].uriTemplate, 'file://{+path}');
  const { contents } = await client.readResource({ uri: `file://${dir}/a.txt` });
  assert.equal(contents[0].text, 'one\n<three>\n');
  await assert.rejects(client.callTool({ name: 'brew', arguments: {} }), /there is no tool/);
}
