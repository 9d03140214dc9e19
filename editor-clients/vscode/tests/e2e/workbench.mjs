// A real VS Code workbench in a real browser: its server, a page that shows it, and the probe, an
// extension that runs functions of the tests inside the extension host.
import { execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import readline from "node:readline";

const need = (name) => {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: start the tests by run.sh`);
  return value;
};

const modules = need("VSCODE_TESTS");
const main = path.join(modules, "node_modules/code-server/lib/vscode/out/server-main.js");
const { chromium } = createRequire(path.join(modules, "x.js"))("playwright-core");

export const pictures = need("PICTURES");

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Waits until the function gives something true; gives the last value otherwise. */
export async function until(f, ms = 15_000) {
  let value;
  for (const end = Date.now() + ms; Date.now() < end; await sleep(50)) {
    try {
      value = await f();
      if (value) return value;
    } catch (error) {
      value = error;
    }
  }
  return value instanceof Error ? Promise.reject(value) : value;
}

function freePort() {
  return new Promise((resolve) => {
    const server = net.createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

const always = {
  "workbench.startupEditor": "none",
  "workbench.colorTheme": "Default Dark Modern",
  "telemetry.telemetryLevel": "off",
  "extensions.autoCheckUpdates": false,
  "extensions.ignoreRecommendations": true,
  "files.autoSave": "off",
  "git.enabled": false,
  "chat.commandCenter.enabled": false,
  "chat.disableAIFeatures": true,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "security.workspace.trust.enabled": false,
};

/** Begins with a home of its own, so that nothing of the machine's user is met. */
export class Workbench {
  /**
   * @param options.files by name, in the opened folder; strings or buffers
   * @param options.settings of the user
   * @param options.beside another one, whose folder and home this one has too
   */
  static async start({ files = {}, settings = {}, env = {}, extension = true, beside } = {}) {
    const w = new Workbench();
    w.tmp = fs.mkdtempSync(path.join(os.tmpdir(), "agent-lsp-vscode-"));
    w.home = beside?.home ?? path.join(w.tmp, "home");
    w.folder = beside?.folder ?? path.join(w.tmp, "project");
    for (const dir of [w.home, w.folder]) fs.mkdirSync(dir, { recursive: true });
    for (const [name, content] of Object.entries(files)) w.write(name, content);
    w.settings(settings);
    const [port, probePort] = [await freePort(), await freePort()];
    Object.assign(w, { port, probePort });
    const dirs = ["--server-data-dir", `${w.tmp}/data`, "--user-data-dir", `${w.tmp}/data`];
    dirs.push("--extensions-dir", need("EXTENSIONS") + (extension ? "" : "-without"));
    w.env = {
      ...process.env,
      HOME: w.home,
      PROBE_PORT: String(probePort),
      XDG_RUNTIME_DIR: w.home,
      ...env,
    };
    for (const name of ["XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"]) delete w.env[name];
    w.log = path.join(w.tmp, "server.log");
    const log = fs.openSync(w.log, "w");
    const args = ["--host", "127.0.0.1", "--port", String(port), "--without-connection-token"];
    w.server = spawn(
      process.execPath,
      [main, ...args, ...dirs, "--telemetry-level", "off", "--accept-server-license-terms"],
      { env: w.env, stdio: ["ignore", log, log] },
    );
    await until(async () => (await fetch(`http://127.0.0.1:${port}/version`)).ok, 30_000);
    w.browser = await chromium.launch({
      executablePath: "/usr/bin/chromium",
      args: "--no-sandbox --disable-gpu --disable-quic --disable-background-networking --disable-component-update --disable-sync --no-first-run".split(
        " ",
      ),
    });
    w.page = await w.browser.newPage({ viewport: { width: 1280, height: 800 } });
    await w.open();
    return w;
  }

  async open(query = `folder=${this.folder}`) {
    const before = this.host;
    await this.page.goto(`http://127.0.0.1:${this.port}/?${query}`);
    await this.page.waitForSelector(".monaco-workbench .part.statusbar", { timeout: 60_000 });
    this.host = await until(async () => {
      const pid = await this.probe(() => process.pid);
      return pid !== before && pid;
    }, 120_000);
    if (!this.host) throw new Error("the page has no extension host of its own");
  }

  /**
   * Opens a workspace of several folders. On a busy machine VS Code sometimes opens a workspace file
   * that is new to it without its folders ("You have not yet added a folder"), and keeps to that: then
   * no extension has any either, and it is opened again.
   */
  async openWorkspace(file) {
    for (let tries = 0; tries < 3; tries++) {
      await this.open(`workspace=${file}`);
      if ((await this.state()).folders.length > 0) return;
      console.log(`     VS Code opened ${path.basename(file)} without its folders: once more`);
    }
  }

  /** What VS Code itself has, to tell its faults from ours. */
  state() {
    return this.probe((vscode) => ({
      folders: (vscode.workspace.workspaceFolders ?? []).map((f) => f.uri.fsPath),
      trusted: vscode.workspace.isTrusted,
      open: vscode.workspace.textDocuments.map((d) => d.uri.toString()).slice(0, 20),
    }));
  }

  async stop() {
    await this.browser?.close();
    this.server.kill("SIGTERM");
    await until(() => this.server.exitCode !== null || this.server.signalCode !== null, 5000);
    if (process.env.KEEP) console.log(`kept ${this.tmp}`);
    else fs.rmSync(this.tmp, { recursive: true, force: true, maxRetries: 3 });
  }

  /** Writes the user's settings; those of ours as the remote machine's, where theirs belong. */
  settings(more) {
    const ours = Object.entries(more).filter(([key]) => key.startsWith("agentLSP."));
    const others = Object.entries(more).filter(([key]) => !key.startsWith("agentLSP."));
    this.#write("Machine", Object.fromEntries(ours));
    this.#write("User", { ...always, ...Object.fromEntries(others) });
  }

  #write(scope, settings) {
    const file = path.join(this.tmp, "data", scope, "settings.json");
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, JSON.stringify(settings, null, 2));
  }

  path(name) {
    return path.join(this.folder, name);
  }

  write(name, content) {
    fs.mkdirSync(path.dirname(this.path(name)), { recursive: true });
    fs.writeFileSync(this.path(name), content);
  }

  read(name, encoding = "utf8") {
    return fs.readFileSync(this.path(name), encoding);
  }

  exists(name) {
    return fs.existsSync(this.path(name));
  }

  /** Runs f(vscode, argument) in the extension host. What it gives has to be JSON. */
  async probe(f, argument) {
    const response = await fetch(`http://127.0.0.1:${this.probePort}/`, {
      method: "POST",
      body: JSON.stringify({ source: String(f), argument }),
    });
    const { value, error } = await response.json();
    if (error) throw new Error(error);
    return value;
  }

  /** Calls a tool, as another extension would. */
  call(name, args = {}) {
    return this.probe(
      (vscode, [name, args]) =>
        vscode.commands.executeCommand("agent-lsp.call", {
          name,
          arguments: args,
          client: { name: "Tester" },
        }),
      [name, args],
    );
  }

  /** The text that a read gives, or its error. */
  async readTool(path, more = {}) {
    const { structuredContent: s } = await this.call("read_file", {
      path,
      format: "plain",
      ...more,
    });
    return s;
  }

  /** Opens a file in a tab and waits until the server has it. */
  async show(name) {
    await this.probe(async (vscode, file) => {
      await vscode.window.showTextDocument(vscode.Uri.file(file), { preview: false });
    }, this.path(name));
    await this.page.locator(".tab.active", { hasText: path.basename(name) }).waitFor();
  }

  /** Types at the start of the active editor, as keys, and waits until its document shows it. */
  async type(text) {
    await this.page.locator(".editor-instance .view-lines").first().click();
    await this.page.keyboard.press("Control+Home");
    await this.page.keyboard.type(text);
    const shows = (vscode, text) => {
      const now = vscode.window.activeTextEditor.document.getText().replaceAll("\r\n", "\n");
      return now.startsWith(text);
    };
    await until(() => this.probe(shows, text));
  }

  /** The whole text of an open document; undefined when it is not open. */
  text(name) {
    return this.probe(
      (vscode, file) =>
        vscode.workspace.textDocuments.find((d) => d.uri.fsPath === file)?.getText(),
      this.path(name),
    );
  }

  run(command, ...args) {
    return this.probe(
      (vscode, [command, args]) =>
        vscode.commands.executeCommand(command, ...args).then(() => null),
      [command, args],
    );
  }

  /** Texts of the messages that are shown. */
  messages() {
    return this.page
      .locator(".notifications-toasts .notification-list-item-message")
      .allInnerTexts();
  }

  async clearMessages() {
    await this.run("notifications.clearAll");
  }

  picture(name) {
    return this.page.screenshot({ path: path.join(pictures, `${name}.png`) });
  }

  /** An assistant that was started in the folder, outside of any editor. */
  assistant() {
    const options = { cwd: this.folder, env: this.env, stdio: ["pipe", "pipe", "ignore"] };
    return new Assistant(spawn(need("AGENT_LSP"), ["mcp"], options));
  }

  /** Process ids of the servers that this workbench started. */
  servers() {
    const out = execFileSync("ps", ["-eo", "pid=,args="], { encoding: "utf8" });
    const ours = out.split("\n").filter((line) => /agent-lsp\S* lsp\b/.test(line));
    return ours
      .map((line) => Number(line.trim().split(" ")[0]))
      .filter((pid) => {
        try {
          return fs
            .readFileSync(`/proc/${pid}/environ`, "utf8")
            .includes(`PROBE_PORT=${this.probePort}\0`);
        } catch {
          return false; // it has ended since
        }
      });
  }
}

/** An MCP client, as far as tests need one. */
class Assistant {
  #waiting = new Map();
  #last = 0;

  constructor(server) {
    this.server = server;
    readline.createInterface({ input: server.stdout }).on("line", (line) => {
      const { id, result, error } = JSON.parse(line);
      this.#waiting.get(id)?.(result ?? { error });
    });
    const clientInfo = { name: "Outsider", version: "1" };
    this.ready = this.#ask("initialize", {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo,
    }).then(() => this.#send({ method: "notifications/initialized" }));
  }

  /** What the model would read. */
  async call(name, args) {
    await this.ready;
    const { content } = await this.#ask("tools/call", { name, arguments: args });
    return content.map((part) => part.text).join("\n");
  }

  stop() {
    this.server.kill();
  }

  #ask(method, params) {
    const id = ++this.#last;
    this.#send({ id, method, params });
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  #send(message) {
    this.server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }
}
