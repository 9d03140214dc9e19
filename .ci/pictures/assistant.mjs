// An assistant of its own process: calls tools by `agent-lsp mcp`.
import { spawn } from 'node:child_process';
import readline from 'node:readline';

export class Assistant {
  #waiting = new Map();
  #next = 0;

  static async start(program, folder, env, name) {
    const a = new Assistant();
    a.process = spawn(program, ['mcp'], { cwd: folder, env, stdio: ['pipe', 'pipe', 'ignore'] });
    readline.createInterface({ input: a.process.stdout }).on('line', (line) => {
      const { id, result, error } = JSON.parse(line);
      a.#waiting.get(id)?.(result ?? { isError: true, content: [{ text: error?.message ?? '' }] });
    });
    await a.#request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name, version: '1' } });
    a.#send({ method: 'notifications/initialized' });
    return a;
  }

  /** The text that the model reads. */
  async call(name, args) {
    const result = await this.#request('tools/call', { name, arguments: args });
    const text = result.content.map((c) => c.text).join('\n');
    if (result.isError) throw new Error(`${name}: ${text}`);
    return text;
  }

  #send(message) {
    this.process.stdin.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\n');
  }

  #request(method, params) {
    const id = ++this.#next;
    this.#send({ id, method, params });
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  stop() {
    this.process.stdin.end();
  }
}
