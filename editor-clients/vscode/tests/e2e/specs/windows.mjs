import { Workbench, until } from "../workbench.mjs";

// Two windows on one folder: what was typed in one is lost by nothing that happens in the other, and
// an assistant is given the text that counts or told that there are two.
export default async function ({ check, equal, use }) {
  const files = { "a.txt": "one\n", "b.txt": "two\n" };
  const first = use(await Workbench.start({ files }));
  const second = use(await Workbench.start({ beside: first }));
  const outsider = first.assistant();
  try {
    await run({ check, equal, first, second, outsider });
  } finally {
    outsider.stop();
  }
}

async function run({ check, equal, first, second, outsider }) {
  const read = (path = "a.txt") => outsider.call("read_file", { path });
  const texts = async () => [await first.text("a.txt"), await second.text("a.txt")];
  const both = async () => [
    (await first.readTool("a.txt")).content,
    (await second.readTool("a.txt")).content,
  ];
  const shows = (what, got, pattern) => check(what, pattern.test(got), got);

  await first.show("a.txt");
  await first.type("typed ");
  await until(async () => (await first.readTool("a.txt")).dirty);
  shows("what one window has open counts", await read(), /\|typed one/);
  equal("a window that has it not open sees the disk", await both(), ["typed one\n", "one\n"]);

  await second.show("a.txt");
  await until(async () => (await second.readTool("a.txt")).source === "buffer");
  shows("open in both with different texts", await read(), /conflicting_buffers/);
  const edit = {
    path: "a.txt",
    expected_hash: (await second.readTool("a.txt")).content_hash,
    old_text: "one",
    new_text: "1",
  };
  shows("it is not edited", await outsider.call("edit_file", edit), /conflicting_buffers/);
  equal("each window has its own text", await both(), ["typed one\n", "one\n"]);

  await first.run("workbench.action.files.save");
  const same = await until(async () => (await second.text("a.txt")) === "typed one\n");
  check("saved in one, it is the text of both", same, await texts());
  shows("and is read", await read(), /\|typed one/);

  await first.type("1 ");
  await second.type("2 ");
  await until(async () => (await second.readTool("a.txt")).dirty);
  shows("typed in both", await read(), /conflicting_buffers/);
  await first.run("workbench.action.files.save");
  const behind = await until(async () => {
    const r = await second.readTool("a.txt");
    return r.disk_changed && r;
  });
  equal("saving one leaves the other's", await texts(), ["1 typed one\n", "2 typed one\n"]);
  const change = { ...edit, expected_hash: behind.content_hash, save: "always" };
  const changed = await second.call("edit_file", change);
  equal(
    "an edit there is not written over it",
    [changed.structuredContent.error?.kind, first.read("a.txt"), await second.text("a.txt")],
    ["buffer_dirty", "1 typed one\n", "2 typed one\n"],
  );

  const { content_hash } = await first.readTool("b.txt");
  const other = { path: "b.txt", expected_hash: content_hash, old_text: "two", new_text: "2" };
  await outsider.call("edit_file", other);
  equal("other files are edited as ever", first.read("b.txt"), "2\n");
  equal("no messages", [...(await first.messages()), ...(await second.messages())], []);
}
