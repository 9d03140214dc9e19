/** What assistants changed, in the text itself: gutter, overview ruler, hovers and code lenses. */
import {
  CodeLens,
  EventEmitter,
  Hover,
  MarkdownString,
  OverviewRulerLane,
  ThemeColor,
  Uri,
  languages,
  window,
  workspace,
} from "vscode";
import type {
  CodeLensProvider,
  Disposable,
  HoverProvider,
  Position,
  TextDocument,
  TextEditor,
} from "vscode";

import { rangeOf } from "./changes";
import type { Change, Changes } from "./changes";

const MARKS = 10_000; // hunks of an editor that are marked
const LENSES = 500; // hunks of a document above which there are no code lenses
const SHOWN = 40; // lines of what was removed that a hover shows

const SELECTOR = [{ scheme: "file" }, { scheme: "untitled" }];

export class ChangeMarks implements CodeLensProvider, HoverProvider, Disposable {
  readonly #news = new EventEmitter<void>();
  readonly #put;
  readonly #removed;
  readonly #listeners: { dispose(): void }[];

  readonly onDidChangeCodeLenses = this.#news.event;

  constructor(
    private readonly changes: Changes,
    media: Uri,
  ) {
    const overviewRulerLane = OverviewRulerLane.Left;
    this.#put = window.createTextEditorDecorationType({
      isWholeLine: true,
      gutterIconPath: Uri.joinPath(media, "changed.svg"),
      gutterIconSize: "contain",
      backgroundColor: new ThemeColor("diffEditor.insertedLineBackground"),
      overviewRulerColor: new ThemeColor("editorOverviewRuler.addedForeground"),
      overviewRulerLane,
    });
    this.#removed = window.createTextEditorDecorationType({
      isWholeLine: true,
      gutterIconPath: Uri.joinPath(media, "removed.svg"),
      gutterIconSize: "contain",
      overviewRulerColor: new ThemeColor("editorOverviewRuler.deletedForeground"),
      overviewRulerLane,
    });
    this.#listeners = [
      this.#news,
      this.#put,
      this.#removed,
      changes.onDidChange(() => {
        this.#news.fire();
        window.visibleTextEditors.forEach((editor) => {
          this.#mark(editor);
        });
      }),
      window.onDidChangeVisibleTextEditors((editors) => {
        editors.forEach((editor) => {
          this.#mark(editor);
        });
      }),
      languages.registerCodeLensProvider(SELECTOR, this),
      languages.registerHoverProvider(SELECTOR, this),
    ];
  }

  dispose(): void {
    this.#listeners.forEach((listener) => {
      listener.dispose();
    });
  }

  provideCodeLenses({ uri }: TextDocument): CodeLens[] {
    const hunks = this.changes.of(uri)?.hunks ?? [];
    const wanted = workspace.getConfiguration("agentLSP").get<boolean>("review.codeLens", true);
    return !wanted || hunks.length > LENSES ? [] : hunks.flatMap((hunk) => lensesOf(uri, hunk));
  }

  provideHover({ uri }: TextDocument, { line }: Position): Hover | undefined {
    const hunk = this.changes.of(uri)?.hunks.find((h) => holds(h, line));
    return hunk && new Hover(describe(uri, hunk), rangeOf(hunk));
  }

  #mark(editor: TextEditor): void {
    const hunks = (this.changes.of(editor.document.uri)?.hunks ?? []).slice(0, MARKS);
    editor.setDecorations(this.#put, hunks.filter((h) => h.end > h.start).map(rangeOf));
    editor.setDecorations(this.#removed, hunks.filter((h) => h.end === h.start).map(rangeOf));
  }
}

/** Whether a line is one of a hunk's, or the one behind what was removed. */
export function holds(hunk: Change, line: number): boolean {
  return line >= hunk.start && line < Math.max(hunk.end, hunk.start + 1);
}

function lensesOf(uri: Uri, hunk: Change): CodeLens[] {
  const range = rangeOf(hunk);
  const lens = (title: string, command: string, tooltip: string) =>
    new CodeLens(range, { title, command, tooltip, arguments: [{ uri, hunk: hunk.id }] });
  return [
    lens("$(check) Keep", "agentLsp.keepChange", "Keep this change of an assistant"),
    lens("$(discard) Undo", "agentLsp.undoChange", "Put back what stood here"),
    lens(summary(hunk), "agentLsp.showChanges", "Show what stood here before"),
  ];
}

/** Who changed how much. */
export function summary(hunk: Change): string {
  const gone = hunk.removed === "" ? 0 : hunk.removed.replace(/\n$/, "").split("\n").length;
  const come = hunk.end - hunk.start;
  const counts = [come > 0 && `+${come}`, gone > 0 && `−${gone}`].filter(Boolean).join(" ");
  return `${hunk.clients.join(", ") || "agent"} ${counts}`;
}

function describe(uri: Uri, hunk: Change): MarkdownString {
  const text = new MarkdownString();
  text.supportThemeIcons = true;
  text.isTrusted = { enabledCommands: ["agentLsp.keepChange", "agentLsp.undoChange"] };
  const time = new Date(hunk.time);
  const when = Number.isNaN(time.valueOf()) ? "" : `, ${time.toLocaleTimeString()}`;
  text.appendText(`Changed by ${hunk.clients.join(", ") || "an assistant"}${when}`);
  const argument = encodeURIComponent(JSON.stringify([{ uri: uri.toString(), hunk: hunk.id }]));
  text.appendMarkdown(
    `\n\n[$(check) Keep](command:agentLsp.keepChange?${argument}) · ` +
      `[$(discard) Undo](command:agentLsp.undoChange?${argument})\n\n`,
  );
  if (hunk.removed !== "") {
    const lines = hunk.removed.replace(/\n$/, "").split("\n");
    const more = lines.length > SHOWN ? `\n… ${lines.length - SHOWN} more lines` : "";
    const shown = lines.slice(0, SHOWN).map((line) => `-${line}`);
    text.appendCodeblock(shown.join("\n") + more, "diff");
  }
  return text;
}
