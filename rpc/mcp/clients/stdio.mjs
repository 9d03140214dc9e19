// The official TypeScript SDKs, version 1 and 2, over stdio.
import assert from 'node:assert/strict';
import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ListRootsRequestSchema, ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { writeFileSync } from 'node:fs';
import { binary, check, readsAndEdits, workspace } from './check.mjs';

// connected runs a test with a client that is connected to a server of its own.
async function connected(makeClient, Transport, test, args = []) {
  const w = workspace();
  const client = makeClient();
  try {
    await client.connect(new Transport({ command: binary, args: ['mcp', ...args], cwd: w.dir, env: w.env, stderr: 'inherit' }));
    await test(client, w.dir);
  } finally {
    await client.close();
    w.remove();
  }
}

const info = { name: 'clients', version: '1' };

export async function run() {
  const v1 = () => new ClientV1(info, { capabilities: {} });
  await check('SDK 1', () => connected(v1, StdioV1, readsAndEdits));
  await check('SDK 1: subscription', () => connected(v1, StdioV1, async (client, dir) => {
    const uri = `file://${dir}/a.txt`;
    const updated = new Promise((resolve) => client.setNotificationHandler(ResourceUpdatedNotificationSchema, (n) => resolve(n.params.uri)));
    await client.subscribeResource({ uri });
    writeFileSync(`${dir}/a.txt`, 'changed by somebody\n');
    assert.equal(await updated, uri);
  }));
  await check('SDK 1: roots of the client', () => {
    const root = workspace();
    writeFileSync(`${root.dir}/b.txt`, 'in the root\n');
    const client = new ClientV1(info, { capabilities: { roots: {} } });
    client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: `file://${root.dir}` }] }));
    return connected(() => client, StdioV1, async () => {
      const { content } = await client.callTool({ name: 'read_file', arguments: { path: 'b.txt' } });
      assert(content[0].text.includes('1|in the root'), content[0].text);
    }).finally(root.remove);
  });
  await check('SDK 1: two hundred calls', () => connected(v1, StdioV1, async (client) => {
    const calls = Array.from({ length: 200 }, () => client.callTool({ name: 'read_file', arguments: { path: 'a.txt' } }));
    for (const answer of await Promise.all(calls)) assert(answer.content[0].text.includes('1|one'));
  }));
  await check('SDK 1: structured', () => connected(v1, StdioV1, async (client) => {
    await client.listTools(); // for the output schemas, which the client then holds answers against
    const read = await client.callTool({ name: 'read_file', arguments: { path: 'a.txt' } });
    assert.equal(read.structuredContent.total_lines, 2);
  }, ['--structured']));
  for (const mode of ['legacy', 'auto', { pin: '2026-07-28' }]) {
    const v2 = () => new ClientV2(info, { capabilities: {}, versionNegotiation: { mode } });
    await check(`SDK 2, ${JSON.stringify(mode)}`, () => connected(v2, StdioV2, readsAndEdits));
  }
}
