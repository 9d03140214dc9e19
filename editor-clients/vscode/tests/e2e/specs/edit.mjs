import { Workbench, until } from "../workbench.mjs";

export default async function ({ check, equal, use }) {
  const w = use(
    await Workbench.start({
      files: { "a.txt": "hello world\nsecond\n", "b.txt": "one\ntwo\nthree\n" },
    }),
  );
  await w.show("a.txt");
  await w.type("typed ");
  const read = await until(async () => {
    const r = await w.readTool("a.txt");
    return r.content.startsWith("typed hello") && r;
  });
  equal("unsaved text is read", read.content, "typed hello world\nsecond\n");
  check("as the buffer's, dirty", read.source === "buffer" && read.dirty === true, read);
  equal("nothing was saved", w.read("a.txt"), "hello world\nsecond\n");

  const edited = await w.call("edit_file", {
    path: "a.txt",
    expected_hash: read.content_hash,
    edits: [
      { old_text: "world", new_text: "there" },
      { old_text: "second", new_text: "SECOND" },
    ],
  });
  check("an edit is applied", !edited.isError, edited);
  equal("it is in the document", await w.text("a.txt"), "typed hello there\nSECOND\n");
  await w.picture("edited");
  await w.run("undo");
  equal(
    "one undo takes it back, and not the typing",
    await w.text("a.txt"),
    "typed hello world\nsecond\n",
  );
}
