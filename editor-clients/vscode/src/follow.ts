/** Following: the place that an assistant reads or edits is shown, without taking the cursor. */
import {
  Range,
  TextEditorRevealType,
  ThemeColor,
  Uri,
  ViewColumn,
  window,
  workspace,
} from "vscode";
import type { Disposable, TextEditor } from "vscode";

import { clientName } from "./activityLog";
import type { FollowParams } from "./protocol";

const LIT = 2000; // ms
const PACE = 300; // ms between two places: assistants read faster than anybody looks

export class Follow implements Disposable {
  readonly #lit = window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new ThemeColor("editor.rangeHighlightBackground"),
  });
  #next: FollowParams | undefined;
  #pace: NodeJS.Timeout | undefined;
  #off: NodeJS.Timeout | undefined;
  /** Where the last place was shown: there the next one is, too. */
  #column: ViewColumn | undefined;

  dispose(): void {
    clearTimeout(this.#pace);
    clearTimeout(this.#off);
    this.#lit.dispose();
  }

  /** `agent/follow` */
  note(params: FollowParams): void {
    if (!workspace.getConfiguration("agentLSP").get<boolean>("follow", false)) {
      return;
    }
    this.#next = params;
    this.#pace ??= setTimeout(() => {
      this.#pace = undefined;
      const next = this.#next;
      void (next && this.#show(next).catch(() => undefined)); // a file that cannot be shown
    }, PACE);
  }

  async #show({ uri, range, client, kind }: FollowParams): Promise<void> {
    const editor = await this.#editor(Uri.parse(uri, true));
    const at = range
      ? new Range(range.start.line, 0, Math.max(range.start.line, range.end.line - 1), 0)
      : new Range(0, 0, 0, 0);
    editor.revealRange(at, TextEditorRevealType.InCenterIfOutsideViewport);
    editor.setDecorations(this.#lit, [at]);
    clearTimeout(this.#off);
    this.#off = setTimeout(() => {
      editor.setDecorations(this.#lit, []);
    }, LIT);
    const what = kind === "edit" ? "edits" : "reads";
    const name = workspace.asRelativePath(Uri.parse(uri, true));
    window.setStatusBarMessage(`${clientName(client)} ${what} ${name}`, LIT);
  }

  /** An editor that shows the file already, else one beside that of the person. */
  async #editor(uri: Uri): Promise<TextEditor> {
    const shown = window.visibleTextEditors.find(
      (e) => e.document.uri.toString() === uri.toString(),
    );
    if (shown) {
      return shown;
    }
    const groups = window.tabGroups.all.filter((group) => !group.isActive);
    const own = groups.find((group) => group.viewColumn === this.#column)?.viewColumn;
    const editor = await window.showTextDocument(uri, {
      preview: true,
      preserveFocus: true,
      viewColumn: own ?? ViewColumn.Beside,
    });
    this.#column = editor.viewColumn;
    return editor;
  }
}
