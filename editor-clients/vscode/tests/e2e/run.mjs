// run.mjs [NAME]: runs the unit tests in the folder UNIT, then the specs (those whose file name holds
// NAME), and prints "N passed, N failed".
import fs from "node:fs";
import path from "node:path";
import { run } from "node:test";
import { pictures } from "./workbench.mjs";

const folder = path.join(import.meta.dirname, "specs");
const names = fs.readdirSync(folder).filter((n) => n.includes(process.argv[2] ?? ""));
let passed = 0;
let failed = 0;

/** Collects what a spec finds. */
const check = (name, ok, got) => {
  if (ok) passed++;
  else failed++;
  if (!ok || process.env.VERBOSE)
    console.log(`${ok ? "ok  " : "FAIL"} ${name}${ok ? "" : `: ${JSON.stringify(got)}`}`);
};

if (process.env.UNIT) {
  const files = fs.readdirSync(process.env.UNIT).map((n) => path.join(process.env.UNIT, n));
  for await (const { type, data } of run({ files })) {
    if (type === "test:pass") check(data.name, true);
    else if (type === "test:fail") check(data.name, false, String(data.details.error));
  }
}

/** What a person would see, and what VS Code and the server know, for who looks for the cause. */
const explain = async (name, workbench) => {
  await workbench.page.screenshot({ path: path.join(pictures, `failed-${name}.png`) });
  console.log(`     VS Code has ${JSON.stringify(await workbench.state())}`);
  console.log(`     messages ${JSON.stringify(await workbench.messages())}`);
  const open = JSON.stringify((await workbench.call("open_files")).content);
  console.log(`     open_files ${open.slice(0, 1000)}`);
};

// Each spec has a workbench of its own.
for (const name of names) {
  const begin = Date.now();
  const before = failed;
  const workbenches = [];
  try {
    await (
      await import(path.join(folder, name))
    ).default({
      check,
      equal: (what, got, want) =>
        check(what, JSON.stringify(got) === JSON.stringify(want), { got, want }),
      use: (w) => workbenches[workbenches.push(w) - 1],
    });
  } catch (error) {
    failed++;
    console.log(`FAIL ${name}: ${error.stack}`);
  } finally {
    for (const [i, w] of workbenches.entries()) {
      if (failed > before) {
        await explain(`${name}-${i}`, w).catch((error) => console.log(`     ${error.message}`));
      }
    }
    for (const w of workbenches) await w.stop();
  }
  console.log(`${name}: ${((Date.now() - begin) / 1000).toFixed(1)} s`);
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
