import { createHash } from "node:crypto";
import fs from "node:fs";
import { Workbench, sleep, until } from "../workbench.mjs";

const hashOf = (bytes) => `sha256:${createHash("sha256").update(bytes).digest("hex")}`;

// What the server knows of documents is what VS Code holds, in every form that a file can have.
export default async function ({ check, equal, use }) {
  const files = {
    "lf.txt": "one\ntwo",
    "crlf.txt": "one\r\ntwo\r\n",
    "mixed.txt": "one\r\ntwo\nthree\n",
    "cr.txt": "one\rtwo\r",
    "bom.txt": "\ufeffmarked\n",
    "utf16.txt": Buffer.from("\ufeffzwölf\n", "utf16le"),
    "latin.txt": Buffer.from("caf\xe9 cr\xe8me br\xfbl\xe9e\n", "latin1"),
    "empty.txt": "",
    "emoji.txt": "a 😀 b\n",
    "gone.txt": "will be deleted\n",
    "settings.json": "{}\n",
  };
  const w = use(await Workbench.start({ files }));
  const settled = (name, test) =>
    until(async () => {
      const r = await w.readTool(name);
      return r.source === "buffer" && (!test || test(r)) && r;
    }, 5000);

  for (const name of ["lf.txt", "crlf.txt", "bom.txt", "utf16.txt", "empty.txt", "emoji.txt"]) {
    await w.show(name);
    const r = await settled(name);
    equal(
      `${name}: an open file has its file's hash`,
      r.content_hash,
      hashOf(fs.readFileSync(w.path(name))),
    );
    check(`${name}: it is not dirty`, r.dirty === false && !r.disk_changed, r);
  }
  equal("the mark is known", (await w.readTool("bom.txt")).bom, true);
  equal("the encoding is known", (await w.readTool("utf16.txt")).encoding, "utf-16le");

  await w.show("utf16.txt");
  await w.type("12 = ");
  await settled("utf16.txt", (r) => r.dirty);
  const dirty = await w.readTool("utf16.txt");
  await w.run("workbench.action.files.save");
  const saved = await settled("utf16.txt", (r) => r.dirty === false);
  equal("saving makes no hash stale", saved.content_hash, dirty.content_hash);
  equal("and gives these bytes", saved.content_hash, hashOf(fs.readFileSync(w.path("utf16.txt"))));

  await w.probe(async (vscode, file) => {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.file(file), {
      encoding: "windows1252",
    });
    await vscode.window.showTextDocument(document, { preview: false });
  }, w.path("latin.txt"));
  const latin = await settled("latin.txt", (r) => r.encoding === "windows-1252");
  equal("an encoding that the person chose counts", latin.content, "café crème brûlée\n");
  equal("with the file's hash", latin.content_hash, hashOf(fs.readFileSync(w.path("latin.txt"))));

  for (const name of ["mixed.txt", "cr.txt"]) {
    await w.show(name);
    const r = await until(async () => {
      const read = await w.readTool(name);
      return read.notes?.some((n) => /changed the text when it opened/.test(n)) && read;
    });
    check(`${name}: that VS Code made the line ends alike is told`, r, await w.readTool(name));
  }
  const mixed = await w.readTool("mixed.txt");
  const edit = await w.call("edit_file", {
    path: "mixed.txt",
    expected_hash: mixed.content_hash,
    old_text: "two",
    new_text: "2",
    save: "never",
  });
  check("a file with mixed line ends can be edited", !edit.isError, edit);
  equal(
    "the text is as VS Code has it",
    await w.text("mixed.txt"),
    mixed.content.replace("two", "2"),
  );
  await w.run("undo");

  await w.show("crlf.txt");
  await w.type("zero\n");
  check(
    "typed lines get the file's ends",
    await settled("crlf.txt", (r) => r.content === "zero\r\none\r\ntwo\r\n"),
    await w.readTool("crlf.txt"),
  );
  for (let i = 0; i < 3; i++) await w.run("undo");
  check(
    "undoing all makes it clean",
    await settled("crlf.txt", (r) => r.dirty === false),
    await w.readTool("crlf.txt"),
  );

  await w.show("emoji.txt");
  await w.type("😀");
  const emoji = await settled("emoji.txt", (r) => r.dirty);
  const after = await w.call("edit_file", {
    path: "emoji.txt",
    expected_hash: emoji.content_hash,
    old_text: "b",
    new_text: "c",
    save: "never",
  });
  check(
    "positions behind characters of four bytes are right",
    !after.isError && (await w.text("emoji.txt")) === "😀a 😀 c\n",
    after,
  );

  const uri = await w.probe(async (vscode) => {
    const d = await vscode.workspace.openTextDocument({ content: "never saved\n" });
    await vscode.window.showTextDocument(d, { preview: false });
    return d.uri.toString();
  });
  const untitled = await until(() => w.readTool(uri));
  equal("a document without a file is read", untitled.content, "never saved\n");
  const change = await w.call("edit_file", {
    path: uri,
    expected_hash: untitled.content_hash,
    old_text: "never",
    new_text: "not yet",
  });
  check(
    "and edited",
    !change.isError && (await w.readTool(uri)).content === "not yet saved\n",
    change,
  );
  equal(
    "it is found",
    (await w.call("grep_files", { pattern: "not yet saved" })).structuredContent.files?.[0]?.path,
    uri,
  );

  await w.show("gone.txt");
  await w.type("typed ");
  await settled("gone.txt", (r) => r.dirty);
  fs.rmSync(w.path("gone.txt"));
  await sleep(500);
  equal(
    "the text of a deleted file that is open is kept",
    (await w.readTool("gone.txt")).content,
    "typed will be deleted\n",
  );

  await w.show("lf.txt");
  fs.writeFileSync(w.path("lf.txt"), "from elsewhere\n");
  const reloaded = await w.readTool("lf.txt");
  equal(
    "a file that changed on disk is reloaded before it is read",
    [reloaded.content, reloaded.disk_changed ?? false],
    ["from elsewhere\n", false],
  );

  const open = await w.call("open_files");
  const active = open.structuredContent.files.find((f) => f.active);
  equal("the active file is known", active?.path, "lf.txt");
  await w.probe((vscode, file) => {
    const list = vscode.languages.createDiagnosticCollection("test");
    list.set(vscode.Uri.file(file), [
      new vscode.Diagnostic(
        new vscode.Range(0, 0, 0, 4),
        "no such word",
        vscode.DiagnosticSeverity.Warning,
      ),
    ]);
  }, w.path("lf.txt"));
  const found = await w.call("diagnostics", { path: "lf.txt" });
  check("diagnostics are those of the editor", /no such word/.test(JSON.stringify(found)), found);

  // A burst: everything typed before a call is in what the call sees.
  await w.show("empty.txt");
  const text = await w.probe(async (vscode, file) => {
    const editor = vscode.window.activeTextEditor;
    let out = "";
    for (let i = 0; i < 50; i++) {
      await editor.edit((b) => b.insert(new vscode.Position(0, 0), `${i} `), {
        undoStopBefore: false,
        undoStopAfter: false,
      });
      const r = await vscode.commands.executeCommand("agent-lsp.call", {
        name: "read_file",
        arguments: { path: file, format: "plain" },
      });
      if (r.structuredContent.content !== editor.document.getText()) out += `${i} `;
    }
    return out;
  }, w.path("empty.txt"));
  equal("fifty changes, each seen by the call after it", text, "");
}
