// node ask.mjs FOLDER FILE COMMAND...: prints what an assistant that was started in FOLDER and starts COMMAND as its MCP server reads of
// FILE.
import { spawn } from 'node:child_process';
import readline from 'node:readline';

const [, , folder, file, command, ...args] = process.argv;
const server = spawn(command, args, { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] });
const send = (message) => server.stdin.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\n');
const late = setTimeout(() => {
  console.error('no answer within 30 s');
  server.kill();
  process.exitCode = 1;
}, 30_000);

server.on('error', (error) => {
  console.error(error.message);
  process.exit(1);
});
send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'try-dist', version: '1' } } });
for await (const line of readline.createInterface({ input: server.stdout })) {
  const { id, result } = JSON.parse(line);
  if (id === 1) {
    send({ method: 'notifications/initialized' });
    send({ id: 2, method: 'tools/call', params: { name: 'read_file', arguments: { path: file } } });
  } else if (id === 2) {
    console.log(result.content.map((c) => c.text).join('\n'));
    server.stdin.end();
  }
}
clearTimeout(late);
