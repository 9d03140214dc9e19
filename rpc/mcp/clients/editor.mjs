// An editor in a few lines: it runs `agent-lsp lsp`, has one file open with
// text that is not saved, and takes edits.
import { spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { binary } from './check.mjs';

export class Editor {
  #process;
  #waiting = new Map();
  #last = 0;
  #input = Buffer.alloc(0);
  #version = 1;

  // open starts an editor on the workspace w, with text in the file.
  static async open(w, file, text) {
    const editor = new Editor();
    editor.uri = pathToFileURL(file).href;
    editor.text = text;
    editor.#process = spawn(binary, ['lsp'], { cwd: w.dir, env: w.env, stdio: ['pipe', 'pipe', 'ignore'] });
    editor.#process.stdout.on('data', (data) => editor.#read(data));
    await editor.#ask('initialize', {
      processId: process.pid, clientInfo: { name: 'test-editor' }, workspaceFolders: [{ uri: pathToFileURL(w.dir).href, name: 'w' }],
      capabilities: { workspace: { applyEdit: true, workspaceEdit: { documentChanges: true } } },
    });
    editor.#tell('initialized', {});
    editor.#tell('textDocument/didOpen', { textDocument: { uri: editor.uri, languageId: 'plaintext', version: 1, text } });
    return editor;
  }

  // type replaces the whole text.
  type(text) {
    this.text = text;
    this.#version++;
    this.#tell('textDocument/didChange', { textDocument: { uri: this.uri, version: this.#version }, contentChanges: [{ text }] });
  }

  // settled is when the server has seen what was typed.
  settled() { return this.#ask('agent/tools/list', {}); }

  async close() {
    const ended = new Promise((resolve) => { this.#process.on('exit', resolve); });
    await this.#ask('shutdown');
    this.#tell('exit');
    return ended;
  }

  #send(message) {
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
    this.#process.stdin.write(`Content-Length: ${body.length}\r\n\r\n`);
    this.#process.stdin.write(body);
  }

  #tell(method, params) { this.#send({ method, params }); }

  #ask(method, params) {
    const id = ++this.#last;
    this.#send({ id, method, params });
    return new Promise((resolve) => { this.#waiting.set(id, resolve); });
  }

  #read(data) {
    this.#input = Buffer.concat([this.#input, data]);
    for (;;) {
      const head = this.#input.indexOf('\r\n\r\n');
      if (head < 0) return;
      const end = head + 4 + Number(/Content-Length: (\d+)/i.exec(this.#input.subarray(0, head))[1]);
      if (this.#input.length < end) return;
      const message = JSON.parse(this.#input.subarray(head + 4, end));
      this.#input = this.#input.subarray(end);
      this.#take(message);
    }
  }

  #take({ id, method, params, result }) {
    if (method === undefined) return this.#waiting.get(id)?.(result);
    if (id === undefined) return undefined;
    if (method === 'workspace/applyEdit') {
      const [{ edits }] = params.edit.documentChanges;
      this.type(edits.reduceRight((text, edit) => this.#applied(text, edit), this.text));
    }
    return this.#send({ id, result: method === 'workspace/applyEdit' ? { applied: true } : null });
  }

  #applied(text, { range, newText }) {
    const at = ({ line, character }) => this.text.split('\n').slice(0, line).join('\n').length + (line > 0 ? 1 : 0) + character;
    return text.slice(0, at(range.start)) + newText + text.slice(at(range.end));
  }
}
