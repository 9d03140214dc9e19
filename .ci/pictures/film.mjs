// node film.mjs NVIM AGENT_LSP OUT: a real Neovim in which a person types, and an assistant that reads, edits and is taken back, as
// OUT/neovim.gif; what the person can look at afterwards as OUT/neovim-review.png. Each step is checked: a film of what did not happen
// ends with an error.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Assistant } from './assistant.mjs';
import { Screen } from './screen.mjs';

const [, , nvim, agentLsp, out] = process.argv;
const repo = path.resolve(import.meta.dirname, '../..');
const columns = 92;
const rows = 17; // of Neovim
const below = 8; // of the assistant, with the line above it

const tmp = fs.mkdtempSync(path.join(os.tmpdir(), 'agent-lsp-film-'));
const project = path.join(tmp, 'greet');
const socket = path.join(tmp, 'nvim.sock');
const env = { ...process.env, HOME: tmp, XDG_RUNTIME_DIR: tmp, LANG: 'C.UTF-8', PATH: `${path.dirname(agentLsp)}:${process.env.PATH}` };
for (const name of ['XDG_CONFIG_HOME', 'XDG_STATE_HOME', 'XDG_CACHE_HOME', 'XDG_DATA_HOME', 'TMUX']) delete env[name];
const run = (program, ...args) => execFileSync(program, args, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
const tmux = (...args) => run('tmux', '-S', path.join(tmp, 'tmux'), ...args);
const ask = (expression) => run(nvim, '--server', socket, '--remote-expr', expression);
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function until(what, f) {
  for (const end = Date.now() + 20_000; Date.now() < end; await sleep(50)) {
    try {
      if (f()) return;
    } catch {
      // Neovim is not there yet.
    }
  }
  throw new Error(`this did not happen: ${what}`);
}

const buffer = () => ask("join(getline(1, '$'), nr2char(10))");
const keys = (...k) => tmux('send-keys', ...k);

const said = [];
let film;
const frames = [];

/** What the assistant does, in the lines below Neovim. */
function say(text, colour = '0') {
  for (const line of text.split('\n')) said.push(`\x1b[${colour}m ${line}\x1b[0m`);
}

function picture() {
  const pane = tmux('capture-pane', '-e', '-N', '-p').replace(/\n$/, '');
  const title = ' an assistant, a process of its own ';
  const line = `\x1b[0;2m──\x1b[0;1m${title}\x1b[0;2m${'─'.repeat(columns - title.length - 2)}\x1b[0m`;
  return `${pane}\x1b[0m\n${line}\n${said.slice(1 - below).join('\n')}`;
}

/** Holds what is to be seen for so many milliseconds. */
async function hold(ms) {
  const [x, y] = tmux('display-message', '-p', '#{cursor_x} #{cursor_y}').trim().split(' ').map(Number);
  const name = path.join(tmp, `${String(frames.length).padStart(3, '0')}.png`);
  await film.shoot(picture(), name, [x, y]);
  frames.push({ name, ms });
}

async function type(text) {
  for (const key of text.match(/.{1,3}/g)) {
    keys('-l', key);
    await sleep(60);
    await hold(120);
  }
}

async function story() {
  const source = fs.readFileSync(path.join(project, 'greet.go'), 'utf8');
  await until('Neovim shows the file to agent-lsp', () => ask("len(luaeval('vim.lsp.get_clients({ name = [[agent_lsp]] })'))") === '1');
  await hold(900);
  keys('7GO');
  await type('log.Println("typed, not saved")');
  keys('Escape');
  await until('Neovim has what was typed', () => buffer().includes('not saved"'));
  await sleep(200);
  await hold(900);

  const assistant = await Assistant.start(agentLsp, project, env, 'assistant');
  say('› read_file greet.go, lines 5 to 9', '36');
  await hold(700);
  const read = await assistant.call('read_file', { path: 'greet.go', start_line: 5, end_line: 9 });
  if (!read.includes('typed, not saved')) throw new Error(`the assistant did not see it: ${read}`);
  say(read.split('\n').filter((l) => /^\d+\|/.test(l)).slice(0, 4).join('\n').replaceAll('\t', '    '));
  await hold(2200);

  say('› edit_file greet.go: "Hello, %s!" becomes "Good day, %s!"', '36');
  await hold(900);
  const hash = /hash ([0-9a-f]+)/.exec(read)[1];
  await assistant.call('edit_file', { path: 'greet.go', expected_hash: hash, old_text: 'Hello, %s!', new_text: 'Good day, %s!' });
  await until('the edit is in the buffer', () => buffer().includes('Good day'));
  say('landed in the editor, unsaved like the text around it', '32');
  await sleep(150);
  await hold(2400);
  if (fs.readFileSync(path.join(project, 'greet.go'), 'utf8') !== source) throw new Error('the file on disk has changed');

  keys('u');
  await until('undo took the edit back', () => !buffer().includes('Good day') && buffer().includes('not saved"'));
  await sleep(3500); // until the light on the edit has faded
  say('the person pressed u: the edit is gone, what they typed is there', '33');
  await hold(2600);

  keys('C-r');
  await until('the edit is back', () => buffer().includes('Good day'));
  await sleep(200);
  return assistant;
}

/** What the person can look at: a change as a diff, and who did what. */
async function review(assistant) {
  const wide = 120;
  const high = 27;
  tmux('resize-window', '-x', String(wide), '-y', String(high));
  keys('Escape', ':AgentLsp review', 'Enter');
  await until('the diff is shown', () => ask('&diff') === '1');
  keys(':botright AgentLsp activity', 'Enter');
  await until('the list has the edit', () => buffer().includes('edited'));
  await sleep(500);
  const screen = await Screen.open(wide, high, 2);
  await screen.shoot(tmux('capture-pane', '-e', '-N', '-p'), path.join(out, 'neovim-review.png'));
  await screen.close();
  assistant.stop();
}

function makeGif() {
  const list = frames.map((f) => `file '${f.name}'\nduration ${f.ms / 1000}`).join('\n');
  fs.writeFileSync(path.join(tmp, 'frames'), `${list}\nfile '${frames.at(-1).name}'\n`);
  const filter = 'split[a][b];[a]palettegen=max_colors=48:stats_mode=full[p];[b][p]paletteuse=dither=none:diff_mode=rectangle';
  run('ffmpeg', '-loglevel', 'error', '-y', '-f', 'concat', '-safe', '0', '-i', path.join(tmp, 'frames'), '-vf', filter, '-fps_mode', 'vfr', path.join(out, 'neovim.gif'));
}

try {
  fs.cpSync(path.join(repo, 'testdata/demo'), project, { recursive: true });
  fs.mkdirSync(path.join(project, '.git'));
  fs.writeFileSync(
    path.join(tmp, 'init.lua'),
    `vim.opt.runtimepath:prepend('${repo}/editor-clients/neovim')
vim.opt.termguicolors, vim.opt.number, vim.opt.laststatus, vim.opt.swapfile, vim.opt.ruler = true, true, 2, false, false
vim.opt.tabstop, vim.opt.shortmess = 4, vim.o.shortmess .. 'FIW'
vim.opt.statusline = " %{&buftype == '' ? expand('%:t') .. (&modified ? ' [+]' : '') : ''}%=%{v:lua.require'agent_lsp'.statusline()} "
vim.opt.showtabline = 0
vim.lsp.enable('agent_lsp')
`,
  );
  film = await Screen.open(columns, rows + below, 1, 1.15);
  tmux('-u', '-f', '/dev/null', 'new-session', '-d', '-x', String(columns), '-y', String(rows), '-c', project,
    `TERM=tmux-256color COLORTERM=truecolor exec ${nvim} -u ${tmp}/init.lua -i NONE --listen ${socket} greet.go`);
  tmux('set-option', '-g', 'status', 'off');
  tmux('set-option', '-s', 'escape-time', '0');
  tmux('resize-window', '-x', String(columns), '-y', String(rows));
  const assistant = await story();
  makeGif();
  await review(assistant);
} finally {
  await film?.close();
  try {
    tmux('kill-server');
  } catch {
    // It has ended with Neovim.
  }
  await sleep(300);
  fs.rmSync(tmp, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
