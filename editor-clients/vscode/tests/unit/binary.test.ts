import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, test } from "node:test";

import { NoBinary, compatible, findBinary } from "../../src/binary";
import type { Places } from "../../src/binary";

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "agent-lsp-binary-"));
});
afterEach(() => {
  fs.rmSync(folder, { recursive: true });
});

function places(more: Partial<Places> = {}): Places {
  return {
    setting: "",
    extension: path.join(folder, "extension"),
    path: [path.join(folder, "bin"), "relative"].join(path.delimiter),
    version: "0.3.1",
    platform: process.platform,
    arch: process.arch,
    ...more,
  };
}

function program(name: string, content: string | Buffer, mode = 0o755): string {
  const file = path.join(folder, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, content, { mode });
  return file;
}

const says = (version: string) => `#!/bin/sh\necho agent-lsp ${version}\n`;

async function refusal(more: Partial<Places> = {}): Promise<NoBinary> {
  const error: unknown = await findBinary(places(more)).then(
    () => undefined,
    (e: unknown) => e,
  );
  assert.ok(error instanceof NoBinary);
  return error;
}

test("the bundled program comes before the one in PATH", async () => {
  const inPath = program("bin/agent-lsp", says("0.3.0"));
  assert.deepEqual(await findBinary(places()), { path: inPath, version: "0.3.0" });
  const bundled = program("extension/server/agent-lsp", says("0.3.1"));
  assert.deepEqual(await findBinary(places()), { path: bundled, version: "0.3.1" });
});

test("the setting decides alone", async () => {
  program("extension/server/agent-lsp", says("0.3.1"));
  const own = program("own", says("1a2b3c-dirty"));
  assert.deepEqual(await findBinary(places({ setting: own })), {
    path: own,
    version: "1a2b3c-dirty",
  });
  const error = await refusal({ setting: path.join(folder, "none") });
  assert.match(error.message, /none, does not exist\.$/);
  assert.equal(error.bySetting, true);
});

test("what is wrong with the setting's program is said", async () => {
  assert.match((await refusal({ setting: 7 })).message, /agentLSP.server.path, 7, is not a text/);
  const setting = (name: string, content: string | Buffer, mode?: number) =>
    refusal({ setting: program(name, content, mode) });
  assert.match((await refusal({ setting: "agent-lsp" })).message, /is not an absolute path/);
  assert.match(
    (await setting("a", says("0.3.1"), 0o644)).message,
    /not a program that you may run/,
  );
  assert.match((await setting("b", "#!/bin/sh\necho other 1.0\n")).message, /is not agent-lsp/);
  assert.match(
    (await setting("c", says("0.4.0"))).message,
    /is version 0\.4\.0, but this extension is 0\.3\.1/,
  );
  assert.match((await setting("d", "#!/no/such/loader\n")).message, /needs a loader/);
  assert.match((await setting("e", "#!/bin/sh\necho oh >&2; exit 3\n")).message, /fails: .*oh/);
});

test(
  "a program for another machine is told from one that fails",
  { skip: process.platform !== "linux" },
  async () => {
    const elf = Buffer.alloc(64);
    elf.write("\x7fELF\x02\x01\x01", "latin1");
    elf.writeUInt16LE(2, 16);
    elf.writeUInt16LE(process.arch === "arm64" ? 0x3e : 0xb7, 18);
    program("extension/server/agent-lsp", elf);
    const error = await refusal();
    assert.match(error.message, /is built for another kind of machine/);
    assert.match(error.message, new RegExp(`built for ${process.platform}-${process.arch}`));
  },
);

test("without any program the message says what to do", async () => {
  const error = await refusal();
  assert.match(
    error.message,
    /none came with the extension and none is in PATH\. Install .* or build agent-lsp/,
  );
  assert.equal(error.bySetting, false);
});

test("a broken bundled program does not hide the one in PATH", async () => {
  program("extension/server/agent-lsp", "#!/bin/sh\nexit 1\n");
  const inPath = program("bin/agent-lsp", says("0.3.9"));
  assert.equal((await findBinary(places())).path, inPath);
});

test("versions that fit together", () => {
  for (const [server, extension, fit] of [
    ["0.3.0", "0.3.9", true],
    ["v0.3.0", "0.3.9", true],
    ["0.4.0", "0.3.9", false],
    ["1.4.0", "1.2.0", true],
    ["2.0.0", "1.9.0", false],
    ["0.1.0-dev", "0.1.0", true],
    ["4585917-dirty", "0.3.0", true],
  ] as const) {
    assert.equal(compatible(server, extension), fit, `${server} ${extension}`);
  }
});
