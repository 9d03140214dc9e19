import { Workbench, sleep, until } from "../workbench.mjs";

export default async function ({ check, equal, use }) {
  const w = use(await Workbench.start({ files: { "a.txt": "one\n", "b.txt": "two\n" } }));
  await w.show("b.txt");
  await w.show("a.txt");
  await w.type("typed ");
  await until(async () => (await w.readTool("a.txt")).dirty);
  let last = w.servers()[0];
  check("one server runs", w.servers().length === 1, w.servers());

  const times = [];
  for (let i = 0; i < 4; i++) {
    await w.type(`${i} `);
    const expected = await w.text("a.txt");
    const begin = Date.now();
    process.kill(last, "SIGKILL");
    await until(() => w.servers().some((pid) => pid !== last), 5000);
    const r = await w.readTool("a.txt");
    times.push(Date.now() - begin);
    check(
      `end ${i + 1}: the new server has the unsaved text`,
      r.content === expected && r.dirty && r.source === "buffer",
      r,
    );
    equal(`end ${i + 1}: and the other document`, (await w.readTool("b.txt")).source, "buffer");
    last = w.servers()[0];
    if (i === 0) {
      await sleep(200);
      await w.picture("restarted");
      equal("the person is told", (await w.messages()).length, 1);
    }
  }
  console.log(`     back after ${times.join(", ")} ms`);
  check("back within 2 s each time", Math.max(...times) < 2000, times);
  equal("the person is told once", (await w.messages()).length <= 1, true);

  process.kill(last, "SIGKILL");
  const message = await until(async () =>
    (await w.messages()).find((m) => /not started again/.test(m)),
  );
  check(
    "after five ends it stays down and says why",
    /5 times within a minute/.test(message ?? ""),
    await w.messages(),
  );
  await sleep(2500);
  equal("it stays down", w.servers().length, 0);
  await w.picture("down");
  const error = await w.call("read_file", { path: "a.txt" }).catch((e) => e.message);
  check("a call says so", /not running/.test(error), error);

  await w.page
    .locator(".notification-toast .monaco-button", { hasText: "Restart" })
    .first()
    .click();
  check(
    "the person can start it again",
    await until(async () => (await w.readTool("a.txt")).dirty),
    w.servers(),
  );

  // The person restarts while it is about to be started again: one server, not two.
  process.kill(w.servers()[0], "SIGKILL");
  await w.run("agentLsp.restart");
  await until(async () => (await w.readTool("a.txt")).dirty);
  await sleep(1000);
  equal("one server runs after a restart in the middle of another", w.servers().length, 1);

  // Each while that of before is stopping, or starting.
  for (let i = 0; i < 4; i++) {
    await w.probe((vscode) => void vscode.commands.executeCommand("agentLsp.restart"));
    await sleep(i * 50);
  }
  await sleep(1000);
  check(
    "and after several restarts at once",
    await until(async () => (await w.readTool("a.txt")).dirty && w.servers().length === 1, 5000),
    w.servers(),
  );
}
