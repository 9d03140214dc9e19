// An ACP client that hands `agent-lsp mcp` to its agent, as an editor does; the
// agent, a process of its own, reads and edits through it. See docs/acp.md.
import { agent, client, methods, ndJsonStream, PROTOCOL_VERSION } from '@agentclientprotocol/sdk';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { binary, check, workspace } from './check.mjs';
import { Editor } from './editor.mjs';

const self = fileURLToPath(import.meta.url);

// serveAsAgent is the agent's process: it starts the MCP servers that the
// client names, and does to a file what the prompt says.
function serveAsAgent() {
  let servers = [];
  agent({ name: 'test-agent' })
    .onRequest(methods.agent.initialize, () => ({ protocolVersion: PROTOCOL_VERSION, agentCapabilities: {} }))
    .onRequest(methods.agent.session.new, ({ params }) => {
      servers = params.mcpServers;
      return { sessionId: 'one' };
    })
    .onRequest(methods.agent.session.prompt, async ({ params, client: editor }) => {
      const { path, from, to } = JSON.parse(params.prompt[0].text);
      const [{ command, args, env }] = servers;
      const mcp = new Client({ name: 'test-agent', version: '1' }, { capabilities: {} });
      await mcp.connect(new StdioClientTransport({ command, args, env: Object.fromEntries(env.map((e) => [e.name, e.value])) }));
      const read = await mcp.callTool({ name: 'read_file', arguments: { path } });
      const [, hash] = read.content[0].text.match(/hash ([0-9a-f]{8,64})/);
      const edit = await mcp.callTool({ name: 'edit_file', arguments: { path, expected_hash: hash, old_text: from, new_text: to } });
      await mcp.close();
      await editor.notify(methods.client.session.update, {
        sessionId: params.sessionId,
        update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: edit.content[0].text } },
      });
      return { stopReason: 'end_turn' };
    })
    .connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
}

// prompted has a client hand agent-lsp to an agent, which replaces from by to
// in a.txt, and returns what the agent says.
async function prompted(w, from, to) {
  const child = spawn(process.execPath, [self, 'agent'], { stdio: ['pipe', 'pipe', 'inherit'] });
  let said = '';
  const editor = client({ name: 'test-editor' })
    .onNotification(methods.client.session.update, ({ params }) => { said += params.update.content.text; });
  try {
    await editor.connectWith(ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout)), async (ctx) => {
      await ctx.request(methods.agent.initialize, { protocolVersion: PROTOCOL_VERSION, clientCapabilities: {} });
      const { sessionId } = await ctx.request(methods.agent.session.new, {
        cwd: w.dir,
        mcpServers: [{
          name: 'agent-lsp', command: binary, args: ['mcp', '--root', w.dir],
          env: Object.entries(w.env).map(([name, value]) => ({ name, value })),
        }],
      });
      const text = JSON.stringify({ path: 'a.txt', from, to });
      const { stopReason } = await ctx.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text }] });
      assert.equal(stopReason, 'end_turn');
    });
  } finally {
    child.kill();
  }
  return said;
}

export async function run() {
  const w = workspace();
  const onDisk = () => readFileSync(`${w.dir}/a.txt`, 'utf8');
  await check('ACP: a client hands agent-lsp to its agent', async () => {
    const said = await prompted(w, '<two>', 'from the agent');
    assert(said.includes('modified on disk'), said);
    assert.equal(onDisk(), 'one\nfrom the agent\n');
  });
  await check('ACP: the agent works on what is not saved', async () => {
    const before = onDisk();
    const editor = await Editor.open(w, `${w.dir}/a.txt`, before);
    editor.type('one\ntyped, not saved\n');
    await editor.settled();
    const said = await prompted(w, 'typed, not saved', 'typed, and edited');
    assert(said.includes('in the editor, not saved'), said);
    assert.equal(editor.text, 'one\ntyped, and edited\n');
    assert.equal(onDisk(), before);
    assert.equal(await editor.close(), 0);
  });
  w.remove();
}

if (process.argv[2] === 'agent') serveAsAgent();
