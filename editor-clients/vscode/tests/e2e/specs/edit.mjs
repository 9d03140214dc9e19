import { Workbench, sleep, until } from "../workbench.mjs";

export default async function ({ check, equal, use }) {
  const files = {
    "a.txt": "hello world\nsecond\n",
    "b.txt": "one\ntwo\nthree\n",
    "closed.txt": "on disk\n",
    "locked.txt": "read only\n",
  };
  const settings = { "files.readonlyInclude": { "**/locked.txt": true } };
  const w = use(await Workbench.start({ files, settings }));
  await w.show("a.txt");
  await w.type("typed ");
  const read = await until(async () => {
    const r = await w.readTool("a.txt");
    return r.content.startsWith("typed hello") && r;
  });
  equal("unsaved text is read", read.content, "typed hello world\nsecond\n");
  check("as the buffer's, dirty", read.source === "buffer" && read.dirty === true, read);
  equal("nothing was saved", w.read("a.txt"), "hello world\nsecond\n");

  const both = [
    { old_text: "world", new_text: "there" },
    { old_text: "second", new_text: "SECOND" },
  ];
  const edited = await w.call("edit_file", {
    path: "a.txt",
    expected_hash: read.content_hash,
    edits: both,
  });
  check("an edit is applied", !edited.isError, edited);
  equal("it is in the document", await w.text("a.txt"), "typed hello there\nSECOND\n");
  const [file] = edited.structuredContent.files;
  equal(
    "the hash in the answer is that of the document",
    file.content_hash,
    (await w.readTool("a.txt")).content_hash,
  );
  equal(
    "what had unsaved changes is not saved",
    [file.saved, w.read("a.txt")],
    [false, "hello world\nsecond\n"],
  );
  await w.picture("edited");
  await w.run("undo");
  equal(
    "one undo takes it back, and not the typing",
    await w.text("a.txt"),
    "typed hello world\nsecond\n",
  );
  await w.run("redo");
  equal("and redo makes it again", await w.text("a.txt"), "typed hello there\nSECOND\n");

  const stale = await w.call("edit_file", {
    path: "a.txt",
    expected_hash: read.content_hash,
    edits: both,
  });
  equal("an edit for an older text is refused", stale.structuredContent.error?.kind, "stale_file");

  const always = await w.call("edit_file", {
    path: "a.txt",
    expected_hash: file.content_hash,
    old_text: "typed ",
    new_text: "",
    save: "always",
  });
  check("save: always", !always.isError && always.structuredContent.files[0].saved, always);
  equal("saves", w.read("a.txt"), "hello there\nSECOND\n");

  await w.show("b.txt");
  await w.show("a.txt");
  const b = await w.readTool("b.txt");
  const hidden = await w.call("edit_file", {
    path: "b.txt",
    expected_hash: b.content_hash,
    old_text: "two",
    new_text: "2",
  });
  check(
    "a document in the background is edited, and saved as it was clean",
    !hidden.isError && w.read("b.txt") === "one\n2\nthree\n",
    hidden,
  );
  equal(
    "and stays in the background",
    await w.probe((vscode) => vscode.window.activeTextEditor.document.fileName.split("/").pop()),
    "a.txt",
  );

  const closed = await w.readTool("closed.txt");
  await w.call("edit_file", {
    path: "closed.txt",
    expected_hash: closed.content_hash,
    old_text: "on",
    new_text: "edited on",
  });
  equal("a closed file is edited on disk", w.read("closed.txt"), "edited on disk\n");
  equal("without being opened", await w.text("closed.txt"), undefined);

  const created = await w.call("write_file", { path: "new/file.txt", content: "new\n" });
  check("a file is created", !created.isError && w.read("new/file.txt") === "new\n", created);

  await w.show("locked.txt");
  const locked = await w.readTool("locked.txt");
  const refused = await w.call("edit_file", {
    path: "locked.txt",
    expected_hash: locked.content_hash,
    old_text: "only",
    new_text: "and write",
  });
  const now = await w.text("locked.txt");
  check(
    "a read-only document: changed as the answer says, or not at all",
    refused.isError ? now === "read only\n" : now === "read and write\n",
    { refused, now },
  );

  // Files that are open are deleted and moved by the editor.
  w.write("old.txt", "will move\n");
  w.write("bye.txt", "will go\n");
  await w.show("old.txt");
  await w.show("bye.txt");
  await until(async () => (await w.readTool("bye.txt")).source === "buffer");
  await w.readTool("old.txt");
  const patch = (text) =>
    w.call("apply_patch", { patch: `*** Begin Patch\n${text}\n*** End Patch\n` });
  const moved = await patch(
    "*** Update File: old.txt\n*** Move to: sub/new.txt\n@@\n-will move\n+moved",
  );
  check("an open file is moved", !moved.isError, moved);
  equal("to where it shall be", [w.exists("old.txt"), w.exists("sub/new.txt")], [false, true]);
  const removed = await patch("*** Delete File: bye.txt");
  check("an open file is deleted", !removed.isError && !w.exists("bye.txt"), removed);
  w.write("x.txt", "ex\n");
  w.write("y.txt", "why\n");
  for (const name of ["x.txt", "y.txt"]) {
    await w.show(name);
    await until(async () => (await w.readTool(name)).source === "buffer");
  }
  const renamed = (from, to) =>
    `diff --git a/${from} b/${to}\nsimilarity index 100%\nrename from ${from}\nrename to ${to}\n`;
  const exchanged = await w.call("apply_patch", {
    patch: renamed("x.txt", "y.txt") + renamed("y.txt", "x.txt"),
  });
  check("open files exchange their names", !exchanged.isError, exchanged);
  equal("on disk", [w.read("x.txt"), w.read("y.txt")], ["why\n", "ex\n"]);
  const shown = await until(async () => {
    const r = await w.readTool("y.txt");
    return r.source === "buffer" && r;
  });
  equal("and in their tabs", shown.content, "ex\n");
  await w.show("sub/new.txt");
  await until(async () => (await w.readTool("sub/new.txt")).source === "buffer");
  await w.type("unsaved ");
  await until(async () => (await w.readTool("sub/new.txt")).dirty);
  const kept = await patch("*** Delete File: sub/new.txt");
  equal("but not one with unsaved changes", kept.structuredContent.error?.kind, "buffer_dirty");
  await w.run("workbench.action.revertAndCloseActiveEditor");

  // Two edits for the same version at once: the second is refused or lands after the first.
  const before = await w.readTool("b.txt");
  const pair = await Promise.all(
    ["A", "B"].map((x) =>
      w.call("edit_file", {
        path: "b.txt",
        expected_hash: before.content_hash,
        old_text: "one",
        new_text: x,
      }),
    ),
  );
  const done = pair.filter((r) => !r.isError);
  check(
    "of two edits at once one lands",
    done.length === 1 && /^[AB]\n2\nthree\n$/.test(await w.text("b.txt")),
    pair,
  );

  // The person types while edits arrive: nothing typed is lost.
  await w.show("a.txt");
  await w.type("");
  const typing = w.page.keyboard.type("abcdefghijklmnopqrstuvwxyz", { delay: 15 });
  let landed = 0;
  for (let i = 0; i < 12; i++) {
    const r = await w.readTool("a.txt");
    const e = await w.call("edit_file", {
      path: "a.txt",
      expected_hash: r.content_hash,
      old_text: "SECOND",
      new_text: "SECOND.",
      save: "never",
    });
    if (!e.isError) landed++;
    await sleep(20);
  }
  await typing;
  await sleep(300);
  const text = await w.text("a.txt");
  equal(
    "all that was typed while edits landed is there",
    text.split("hello")[0],
    "abcdefghijklmnopqrstuvwxyz",
  );
  equal("and each edit that was confirmed", text.split("SECOND")[1], `${".".repeat(landed)}\n`);
  equal("the server has the same text", (await w.readTool("a.txt")).content, text);
}
