import fs from "node:fs";
import path from "node:path";
import { Uri, workspace } from "vscode";

/**
 * What a path in the server's messages names: relative to a workspace folder (with several, the
 * folder's name may stand in front), absolute, or a URI.
 */
export function locate(name: string): Uri | undefined {
  if (/^(file|untitled):/.test(name)) {
    return Uri.parse(name, true);
  }
  if (path.isAbsolute(name)) {
    return Uri.file(name);
  }
  const places = (workspace.workspaceFolders ?? []).flatMap((folder) => {
    const inside = name.startsWith(`${folder.name}/`) ? name.slice(folder.name.length + 1) : name;
    const both = inside === name ? [name] : [inside, name];
    return both.map((relative) => Uri.joinPath(folder.uri, relative));
  });
  return places.find((uri) => fs.existsSync(uri.fsPath)) ?? places[0];
}

/** The present text behind a URI, without opening it as a document; undefined when there is none. */
export async function textOf(uri: Uri): Promise<string | undefined> {
  const open = workspace.textDocuments.find((d) => d.uri.toString() === uri.toString());
  if (open) {
    return open.getText();
  }
  try {
    const bytes = await workspace.fs.readFile(uri);
    return await workspace.decode(bytes, { uri });
  } catch {
    return undefined;
  }
}
