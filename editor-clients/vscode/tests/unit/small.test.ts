import assert from "node:assert/strict";
import { test } from "node:test";

import { ActivityLog, canRevert, isEdit, labelOf } from "../../src/activityLog";
import { describeEncoding } from "../../src/encoding";
import { faceOf } from "../../src/face";
import { plain } from "../../src/plain";
import { layers } from "../../src/settings";

test("names of files and assistants make no links in messages", () => {
  const message = plain("[Apply](command:a) and [](command:b)");
  assert.doesNotMatch(message, /\]\(/);
});

test("encodings are told with their marks, unknown ones not at all", () => {
  assert.deepEqual(describeEncoding("utf8"), { encoding: "utf8", bom: false });
  assert.deepEqual(describeEncoding("utf8bom"), { encoding: "utf8", bom: true });
  assert.deepEqual(describeEncoding("utf16le"), { encoding: "utf16le", bom: true });
  assert.deepEqual(describeEncoding("windows1252"), { encoding: "windows1252", bom: false });
  assert.deepEqual(describeEncoding("cp1125"), {});
});

test("what a workspace says of policy, commands and consent is not sent", () => {
  const values = { globalValue: "user", workspaceValue: "workspace" };
  const { agentLsp, agentLspMachine } = layers(() => values);
  for (const key of [
    "policy.private",
    "policy.readOnly",
    "exec.enabled",
    "edits.confirm",
    "log.file",
  ]) {
    assert.equal(agentLspMachine[key], "user", key);
    assert.equal(agentLsp[key], undefined, key);
  }
  assert.equal(agentLsp["edits.onStale"], "workspace");
});

test("only what was set is sent, whatever its type; a folder's value over the workspace's", () => {
  const set: Record<string, object> = {
    "edits.save": { workspaceValue: "auto", workspaceFolderValue: 7, defaultValue: "auto" },
    "edits.onStale": { defaultValue: "reject" },
  };
  assert.deepEqual(
    layers((key) => set[key]),
    { agentLsp: { "edits.save": 7 }, agentLspMachine: {} },
  );
});

const at = new Date(0);

test("the list is bounded and newest first", () => {
  const log = new ActivityLog();
  for (let i = 0; i < 600; i++) {
    log.add({ client: "a", tool: "read_file", summary: String(i) }, at, "Code");
  }
  assert.equal(log.entries.length, 500);
  assert.equal(log.entries[0]?.summary, "599");
});

test("edits are what changed something", () => {
  const log = new ActivityLog();
  const base = {
    client: { name: "a" },
    tool: "edit_file",
    path: "src/x.go",
    summary: "src/x.go: modified [on disk]",
  };
  const made = log.add({ ...base, id: "e1", diff: "d" }, at, "Code");
  const tried = log.add({ ...base, diff: "d" }, at, "Code");
  const refused = log.add({ ...base, error: { kind: "stale_file", message: "m" } }, at, "Code");
  assert.deepEqual([made, tried, refused].map(isEdit), [true, false, false]);
  assert.equal(refused.error, "stale_file: m");
  assert.equal(canRevert(made), true);
  made.reverted = true;
  assert.equal(canRevert(made), false);
  assert.deepEqual(log.edits, [made]);
});

test("entries in few words", () => {
  const log = new ActivityLog();
  const label = (params: Partial<Parameters<ActivityLog["add"]>[0]>) =>
    labelOf(log.add({ client: "a", tool: "grep_files", summary: "", ...params }, at, "Code"));
  assert.deepEqual(label({ path: "a/b.go", summary: "a/b.go: lines 1-5 of 9 [buffer, unsaved]" }), {
    label: "b.go",
    detail: "lines 1-5 of 9",
  });
  assert.deepEqual(label({ summary: "3 hits in 2 files (of 9 searched); more" }), {
    label: "3 hits in 2 files",
    detail: "grep files",
  });
  assert.deepEqual(label({ path: ".env", error: "permission_denied: .env: no" }), {
    label: ".env",
    detail: "permission denied",
  });
});

test("what the person does is told as theirs", () => {
  const entry = new ActivityLog().add(
    { client: "Code", tool: "revert_edit", summary: "" },
    at,
    "Code",
  );
  assert.equal(entry.client, "You");
});

test("the status bar's faces", () => {
  const running = { kind: "running", version: "1", readOnly: false } as const;
  const since = "2026-01-01T00:00:00Z";
  const clients = [{ name: "Claude Code", since }];
  const face = (more: Partial<Parameters<typeof faceOf>[0]>) =>
    faceOf({ status: running, clients: [], waiting: 0, ...more });
  assert.equal(face({}).text, "$(eye-closed) Agents");
  assert.equal(face({ clients }).text, "$(eye) Claude Code");
  assert.equal(face({ clients: [...clients, ...clients] }).text, "$(eye) 2 assistants");
  assert.equal(face({ clients, waiting: 2 }).grave, "warning");
  assert.equal(face({ status: { ...running, readOnly: true } }).text, "$(lock) Agents");
  assert.deepEqual(face({ status: { kind: "stopped", why: "because" } }), {
    text: "$(circle-slash) Agents",
    tooltip: "because",
    grave: "error",
  });
});
