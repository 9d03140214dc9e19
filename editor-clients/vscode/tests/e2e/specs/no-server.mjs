import fs from "node:fs";
import path from "node:path";
import { Workbench, until } from "../workbench.mjs";

// No server, one message; and once the person has mended it, all is well without a reload.
export default async function ({ check, equal, use }) {
  const settings = { "agentLSP.server.path": "/no/such/agent-lsp" };
  const w = use(await Workbench.start({ files: { "a.txt": "one\n" }, settings }));
  await w.show("a.txt");
  const messages = await until(async () => {
    const m = await w.messages();
    return m.length && m;
  });
  equal("one message", messages.length, 1);
  check("says what is wrong", /\/no\/such\/agent-lsp, does not exist/.test(messages[0]), messages);
  await w.picture("no-server");
  const error = await w.call("read_file", { path: "a.txt" }).catch((e) => e.message);
  check("a call says so", /not running/.test(error), error);

  const other = path.join(w.tmp, "other");
  fs.writeFileSync(other, "#!/bin/sh\necho agent-lsp 7.0.0\n", { mode: 0o755 });
  w.settings({ "agentLSP.server.path": other });
  check(
    "another version is told of",
    await until(async () => (await w.messages()).some((m) => /is version 7\.0\.0/.test(m))),
    await w.messages(),
  );

  w.settings({});
  check(
    "without the setting the bundled one runs",
    await until(async () => (await w.readTool("a.txt")).source === "buffer"),
    w.servers(),
  );
}
