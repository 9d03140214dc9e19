/**
 * Edits of a document that is looked at: the person's cursor keeps its place in the person's text.
 *
 * VS Code moves a cursor behind what is put in at its very place. It leaves one alone that stands
 * before a text that is replaced: so what is put in at a cursor is handed over as a replacement of
 * the character behind it.
 */
import { Position, Range } from "vscode";
import type { TextDocument, TextEditor } from "vscode";

import { minimal } from "./minimal";

/** A replacement; `range` refers to the present text. */
export interface Change {
  range: Range;
  text: string;
}

/**
 * The same change of the text, as it is handed over.
 *
 * @param cursors where the person's cursors are, and the ends of what is selected
 */
function beside(
  document: TextDocument,
  changes: readonly Change[],
  cursors: readonly Position[],
): Change[] {
  return changes.map((change) => {
    const at = change.range.start;
    if (!change.range.isEmpty || !cursors.some((c) => c.isEqual(at)) || isLineBefore(change)) {
      return change;
    }
    const after = new Range(at, next(document, at));
    const taken = changes.some((other) => other !== change && other.range.intersection(after));
    return after.isEmpty || taken
      ? change
      : { range: after, text: change.text + document.getText(after) };
  });
}

function smaller(document: TextDocument, changes: readonly Change[]): Change[] {
  return changes.flatMap(({ range, text }) => {
    const from = document.offsetAt(range.start);
    const at = (offset: number) => document.positionAt(from + offset);
    return minimal(document.getText(range), text).map((piece) => ({
      range: new Range(at(piece.start), at(piece.end)),
      text: piece.text,
    }));
  });
}

/** Whole lines put in before the cursor's line: that line is the person's, and moves down. */
function isLineBefore({ range, text }: Change): boolean {
  return range.start.character === 0 && text.endsWith("\n");
}

function next(document: TextDocument, at: Position): Position {
  const { text, range } = document.lineAt(at.line);
  if (at.isEqual(range.end)) {
    return at.line + 1 < document.lineCount ? new Position(at.line + 1, 0) : at;
  }
  return at.translate(0, /[\uD800-\uDBFF]/.test(text[at.character] ?? "") ? 2 : 1);
}

/** @returns whether the changes are made; VS Code refuses them when the text changed meanwhile */
export async function change(editors: readonly TextEditor[], changes: Change[]): Promise<boolean> {
  const [editor] = editors;
  if (!editor) {
    return false;
  }
  const { document } = editor;
  const { version } = document;
  const cursors = editors.flatMap((e) => e.selections.flatMap((s) => [s.start, s.end]));
  const handed = beside(document, smaller(document, changes), cursors);
  const last = document.lineAt(document.lineCount - 1).range.end;
  const selections = editors.map((e) => e.selections);
  const made = editor.edit((builder) => {
    for (const { range, text } of handed) {
      builder.replace(range, text);
    }
  });
  const done = await Promise.resolve(made).catch(() => false); // the editor is just being closed
  const [only] = handed;
  if (handed.length === 1 && only?.range.start.isEqual(last) && document.version === version + 1) {
    // There is no character behind a cursor there: it is put back, before anything more is typed.
    editors.forEach((e, i) => {
      e.selections = isLineBefore(only) ? e.selections : (selections[i] ?? e.selections);
    });
  }
  return done && document.version !== version; // of a read-only editor VS Code says that it is done
}
