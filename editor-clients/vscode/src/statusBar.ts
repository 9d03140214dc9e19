import { MarkdownString, StatusBarAlignment, ThemeColor, window } from "vscode";
import type { Disposable } from "vscode";

import { faceOf } from "./face";
import type { Facts } from "./face";

/** The state of the server, and who is attached. */
export class StatusBar implements Disposable {
  readonly #item = window.createStatusBarItem("agentLsp.status", StatusBarAlignment.Right, 100);

  constructor() {
    this.#item.name = "Agent LSP";
    this.#item.command = "agentLsp.showMenu";
  }

  dispose(): void {
    this.#item.dispose();
  }

  update(facts: Facts): void {
    const face = faceOf(facts);
    this.#item.text = face.text;
    this.#item.tooltip = new MarkdownString().appendText(face.tooltip);
    this.#item.command = facts.waiting > 0 ? "agentLsp.review" : "agentLsp.showMenu";
    this.#item.backgroundColor =
      face.grave === "none" ? undefined : new ThemeColor(`statusBarItem.${face.grave}Background`);
    this.#item.show();
  }
}
