// Over HTTP: the official conformance suite, as far as its scenarios ask no
// special tools of a server, and the official TypeScript SDKs.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import http from 'node:http';
import { fileURLToPath } from 'node:url';
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { binary, check, readsAndEdits, workspace } from './check.mjs';

const suite = fileURLToPath(new URL('node_modules/.bin/conformance', import.meta.url));
const scenarios = [
  'server-initialize', 'ping', 'logging-set-level', 'tools-list', 'resources-list', 'prompts-list',
  'server-sse-multiple-streams', 'server-sse-polling', 'dns-rebinding-protection',
];
const info = { name: 'clients', version: '1' };
const token = 'a-token-for-the-tests';

// serve starts a server and returns its process and address.
async function serve(w) {
  const file = `${w.dir}/token`;
  writeFileSync(file, token, { mode: 0o600 });
  const server = spawn(binary, ['mcp', '--root', w.dir, '--http', '127.0.0.1:0', '--token-file', file], { env: w.env });
  const url = await new Promise((resolve, reject) => {
    let said = '';
    server.stderr.on('data', (data) => {
      said += data;
      const at = said.match(/http:\/\/[^ ]+/);
      if (at) resolve(new URL(at[0]));
    });
    server.on('exit', () => reject(new Error(`the server ended: ${said}`)));
  });
  return { server, url };
}

// withToken is a proxy that adds the token, which the suite cannot.
function withToken(url) {
  const proxy = http.createServer((request, response) => {
    const headers = { ...request.headers, authorization: `Bearer ${token}` };
    if (headers.host === `127.0.0.1:${proxy.address().port}`) headers.host = url.host;
    const forward = http.request({ host: url.hostname, port: url.port, path: request.url, method: request.method, headers }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    forward.on('error', () => response.destroy());
    response.on('close', () => forward.destroy());
    request.pipe(forward);
  });
  return new Promise((resolve) => { proxy.listen(0, '127.0.0.1', () => resolve(proxy)); });
}

export async function run() {
  const w = workspace();
  const { server, url } = await serve(w);
  const proxy = await withToken(url);
  for (const scenario of scenarios) {
    await check(`conformance: ${scenario}`, () => new Promise((resolve, reject) => {
      execFile(process.execPath, [suite, 'server', '--url', `http://127.0.0.1:${proxy.address().port}/`, '--scenario', scenario],
        { cwd: w.dir, env: w.env, timeout: 60_000 }, (error, stdout, stderr) => (error ? reject(new Error(stdout + stderr)) : resolve()));
    }));
  }
  const options = { requestInit: { headers: { authorization: `Bearer ${token}` } } };
  const connected = (client, transport) => {
    writeFileSync(`${w.dir}/a.txt`, 'one\n<two>\n');
    return client.connect(transport).then(() => readsAndEdits(client, w.dir)).finally(() => client.close());
  };
  await check('HTTP: SDK 1', () => connected(new ClientV1(info, { capabilities: {} }), new HttpV1(url, options)));
  for (const mode of ['legacy', 'auto', { pin: '2026-07-28' }]) {
    const client = new ClientV2(info, { capabilities: {}, versionNegotiation: { mode } });
    await check(`HTTP: SDK 2, ${JSON.stringify(mode)}`, () => connected(client, new HttpV2(url, options)));
  }
  const asked = (headers) => fetch(url, { method: 'POST', body: '{}', headers });
  await check('HTTP: no token', async () => assert.equal((await asked({})).status, 401));
  await check('HTTP: a wrong token', async () => assert.equal((await asked({ authorization: 'Bearer a-token-for-the-tesT' })).status, 401));
  await check('HTTP: another site', async () => assert.equal((await asked({ authorization: `Bearer ${token}`, origin: 'https://example.com' })).status, 403));
  proxy.closeAllConnections();
  proxy.close();
  await check('HTTP: ends when it is told to', async () => {
    const ended = new Promise((resolve) => { server.on('exit', resolve); });
    server.kill('SIGTERM');
    assert.equal(await ended, 0);
  });
  w.remove();
}
