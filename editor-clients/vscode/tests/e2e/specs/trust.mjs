import fs from "node:fs";
import path from "node:path";
import { Workbench, until } from "../workbench.mjs";

export default async function ({ check, equal, use }) {
  const trust = {
    "security.workspace.trust.enabled": true,
    "security.workspace.trust.startupPrompt": "never",
    "security.workspace.trust.banner": "never",
  };
  const files = {
    "a.txt": "one\n",
    ".vscode/settings.json": JSON.stringify({
      "agentLSP.policy.private": [],
      "agentLSP.exec.enabled": true,
      "agentLSP.edits.onStale": "merge",
    }),
    "other/b.txt": "two\n",
  };
  const w = use(await Workbench.start({ files, settings: trust }));
  await w.show("a.txt");
  const r = await until(() => w.readTool("a.txt"));
  equal("an untrusted folder is read", r.content, "one\n");
  const edit = await w.call("edit_file", {
    path: "a.txt",
    expected_hash: r.content_hash,
    old_text: "one",
    new_text: "1",
  });
  equal("and not changed", edit.structuredContent.error?.kind, "read_only");
  const lock = w.page.locator("#agent-lsp\\.agent-lsp\\.agentLsp\\.status .codicon-lock");
  check("the status bar shows a lock", await until(async () => (await lock.count()) === 1), null);
  await w.picture("untrusted");

  // Several folders, trusted.
  w.settings({});
  const two = path.join(w.tmp, "two");
  fs.mkdirSync(two);
  fs.writeFileSync(path.join(two, "a.txt"), "second folder\n");
  const file = path.join(w.tmp, "both.code-workspace");
  fs.writeFileSync(file, JSON.stringify({ folders: [{ path: w.folder }, { path: two }] }));
  await w.openWorkspace(file);
  equal("VS Code has both folders", (await w.state()).folders, [w.folder, two]);
  equal("each folder by its name", (await w.readTool("two/a.txt")).content, "second folder\n");
  equal(
    "a path that fits in both",
    (await w.call("read_file", { path: "a.txt" })).structuredContent.error?.kind,
    "ambiguous_root",
  );
  await w.probe((vscode) => void vscode.workspace.updateWorkspaceFolders(1, 1));
  equal(
    "after one is gone",
    (
      await until(async () => {
        const again = await w.call("read_file", { path: "a.txt", format: "plain" });
        return !again.isError && again;
      })
    )?.structuredContent.content,
    "one\n",
  );
}
