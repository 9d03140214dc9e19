/** How an edit that waits for consent is put into words. */
import { clientName } from "./activityLog";
import type { ConfirmEditParams } from "./protocol";

/** For a tab and a list, which show long texts in full when they are pointed at. */
export function titleOf({ client, files }: ConfirmEditParams): string {
  const [first] = files;
  const what = files.length === 1 && first ? first.path : `${files.length} files`;
  return `${clientName(client)} wants to change ${what}`;
}

const NAME = 16; // characters: a message shows about 65 of them, and the links stand before it
const PATH = 24;

/** For a message, where it stands behind links. */
export function questionOf({ client, files, reason }: ConfirmEditParams): string {
  const [first] = files;
  const what = files.length === 1 && first ? shortPath(first.path) : `${files.length} files`;
  const why = reason === undefined ? "" : ` (${reason})`;
  return `${cut(clientName(client), NAME)} wants to change ${what}${why}`;
}

/** The end of a path, which tells most. */
export function shortPath(path: string): string {
  const parts = path.split("/");
  let short = parts.pop() ?? "";
  while (parts.length > 0 && short.length + (parts.at(-1)?.length ?? 0) + 3 <= PATH) {
    short = `${parts.pop() ?? ""}/${short}`;
  }
  return cut(parts.length > 0 ? `…/${short}` : short, PATH);
}

/** In its middle. */
function cut(text: string, length: number): string {
  if (text.length <= length) {
    return text;
  }
  const head = Math.floor((length - 1) / 2);
  return `${text.slice(0, head)}…${text.slice(text.length - (length - 1 - head))}`;
}
