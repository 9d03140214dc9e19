// The person's cursor keeps its place in the person's text, whatever an assistant puts around it.
import { Workbench, sleep, until } from "../workbench.mjs";

export default async function ({ equal, use }) {
  const w = use(await Workbench.start({ files: { "a.txt": "one\ntwo\nthree\nfour\n" } }));
  await w.show("a.txt");
  const cursor = (line, character) =>
    w.probe(
      (vscode, [line, character]) => {
        const at = new vscode.Position(line, character);
        vscode.window.activeTextEditor.selection = new vscode.Selection(at, at);
      },
      [line, character],
    );
  const edit = async (old_text, new_text) => {
    const { content_hash } = await w.readTool("a.txt");
    const result = await w.call("edit_file", {
      path: "a.txt",
      expected_hash: content_hash,
      old_text,
      new_text,
      save: "never",
    });
    if (result.isError) throw new Error(JSON.stringify(result));
  };
  const typed = async (text) => {
    await w.page.keyboard.type(text);
    await until(async () => (await w.text("a.txt")).includes(text));
    return w.text("a.txt");
  };

  await w.type("// mine");
  await edit("// mine", "// mine\n// of the agent");
  equal(
    "at the end of a line behind which lines are put",
    await typed(" too"),
    "// mine too\n// of the agentone\ntwo\nthree\nfour\n",
  );
  await w.run("undo");
  await w.run("undo");

  await cursor(2, 3);
  await edit("two\nthree\nfour", "2\nthree\n4");
  equal(
    "in a line that stays between two that change",
    (await typed("X")).split("\n").slice(1).join("\n"),
    "2\nthrXee\n4\n",
  );

  await cursor(3, 1);
  await edit("4\n", "4 and more\n");
  equal("before what is put behind it", (await typed("Y")).split("\n")[3], "4Y and more");

  await cursor(2, 0);
  await edit("thrXee", "before\nthrXee");
  equal(
    "at the start of a line before which a line is put",
    (await typed("Z")).split("\n").slice(2, 4).join(),
    "before,ZthrXee",
  );

  await cursor(5, 0);
  await edit("4Y and more\n", "4Y and more\nlast");
  await sleep(300); // there the cursor is put back, a moment after the edit
  equal("at the end of the file", (await typed("W")).split("\n").at(-1), "Wlast");

  await w.probe((vscode) => {
    vscode.window.activeTextEditor.selection = new vscode.Selection(0, 0, 0, 2);
  });
  await edit("//", "////");
  equal(
    "what is selected stays selected",
    await w.probe((vscode) => {
      const { document, selection } = vscode.window.activeTextEditor;
      return document.getText(selection);
    }),
    "//",
  );
}
