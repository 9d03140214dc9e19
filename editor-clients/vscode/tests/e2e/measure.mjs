// measure.mjs: activation time; key-to-paint while typing in a file of 5 MB, with and without the
// extension in turns; and how long the extension host's loop is held up meanwhile. No test: figures
// depend on the machine and on what else it does. Started by tests/measure.sh.
import os from "node:os";
import { Workbench, sleep, until } from "./workbench.mjs";

const ROUNDS = Number(process.env.ROUNDS ?? 12);
const KEYS = 25; // a round

const quantile = (list, q) =>
  list.toSorted((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * q))];
const shown = (ms) => `${ms.toFixed(1)} ms`;

console.log(
  `load ${os
    .loadavg()
    .map((l) => l.toFixed(1))
    .join(" ")} on ${os.cpus().length} cores`,
);
const files = {
  "big.txt":
    "the quick brown fox jumps over the lazy dog and so on until the line ends here.\n".repeat(
      65_536,
    ),
};
const sides = {
  with: await Workbench.start({ files }),
  without: await Workbench.start({ files, extension: false }),
};
try {
  await activation(sides.with);
  for (const w of Object.values(sides)) await prepare(w);
  const figures = { with: [], without: [] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const side of round % 2 ? ["without", "with"] : ["with", "without"]) {
      figures[side].push(...(await type(sides[side])));
    }
  }
  const p95 = {};
  for (const [side, list] of Object.entries(figures)) {
    p95[side] = quantile(list, 0.95);
    const delay = await sides[side].probe((vscode, _, state) =>
      [50, 99, 100].map((p) => state.delays.percentile(p) / 1e6),
    );
    console.log(
      `${side}: ${list.length} keys, key to paint p50 ${shown(quantile(list, 0.5))}, p95 ${shown(p95[side])}; extension host's loop p50 ${shown(delay[0])}, p99 ${shown(delay[1])}, most ${shown(delay[2])}`,
    );
  }
  console.log(`difference of the p95: ${shown(p95.with - p95.without)}`);
  const same = await sides.with.readTool("big.txt", { start_line: 30_000, end_line: 30_000 });
  console.log(`the server has what was typed: ${same.content.includes("abcde")}`);
} finally {
  await Promise.all(Object.values(sides).map((w) => w.stop()));
}

/**
 * As VS Code counts it ("Developer: Startup Performance"): loading the code, running activate, and
 * waiting for what activate promised. The first two are what it calls the activation time.
 */
async function activation(w) {
  const rows = [];
  for (let i = 0; i < 5; i++) {
    if (i > 0) await w.open();
    await until(() => w.readTool("big.txt", { max_bytes: 10 }));
    await w.run("perfview.show");
    const row = await until(() =>
      w.probe(
        (vscode) =>
          vscode.workspace.textDocuments
            .find((d) => d.uri.scheme === "perf")
            ?.getText()
            .match(/^\| agent-lsp\.agent-lsp +\| \w+ +\| (\d+) +\| (\d+) +\| (\d+)/m)
            ?.slice(1)
            .map(Number) ?? null,
      ),
    );
    rows.push(row);
    await w.run("workbench.action.closeAllEditors");
  }
  const sums = rows.map(([load, call]) => load + call);
  console.log(`activation: ${sums.join(", ")} ms`);
  console.log(
    `  loading + activate, then what it promised: ${rows.map(([l, c, f]) => `${l} + ${c}, ${f}`).join("; ")}`,
  );
}

async function prepare(w) {
  await w.show("big.txt");
  await w.page.locator(".editor-instance .view-lines").first().click();
  await w.probe((vscode) => {
    const editor = vscode.window.activeTextEditor;
    editor.selection = new vscode.Selection(29_999, 0, 29_999, 0);
    editor.revealRange(editor.selection, vscode.TextEditorRevealType.InCenter);
  });
  await sleep(3000);
  await w.page.evaluate(() => {
    window.paints = [];
    let pressed = 0;
    document.addEventListener("keydown", () => (pressed = performance.now()), true);
    const seen = new MutationObserver(() => {
      if (!pressed) return;
      const begin = pressed;
      pressed = 0;
      // After the frame that paints it.
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => window.paints.push(performance.now() - begin);
        port2.postMessage(0);
      });
    });
    seen.observe(document.querySelector(".editor-instance .view-lines"), {
      childList: true,
      subtree: true,
      characterData: true,
    });
  });
  await w.probe((vscode, _, state) => {
    state.delays = state.monitorEventLoopDelay({ resolution: 1 });
    state.delays.enable();
  });
}

async function type(w) {
  await w.page.bringToFront();
  await w.page.evaluate(() => (window.paints = []));
  await w.page.keyboard.type("abcde".repeat(KEYS / 5), { delay: 60 });
  await sleep(200);
  return w.page.evaluate(() => window.paints);
}
