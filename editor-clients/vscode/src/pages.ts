/** Texts that are only shown: closing them loses nothing, so nothing is asked. */
import { EventEmitter, Uri, window, workspace } from "vscode";
import type { Disposable, TextDocumentContentProvider } from "vscode";

const SCHEME = "agent-lsp-page";

export class Pages implements TextDocumentContentProvider, Disposable {
  readonly #texts = new Map<string, string>();
  readonly #changed = new EventEmitter<Uri>();

  readonly onDidChange = this.#changed.event;

  readonly #registration = workspace.registerTextDocumentContentProvider(SCHEME, this);

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
  }

  provideTextDocumentContent(uri: Uri): string {
    return this.#texts.get(uri.path) ?? "";
  }

  /** @param name of the tab; a page that is shown already gets the new text */
  async show(name: string, text: string): Promise<void> {
    const uri = Uri.from({ scheme: SCHEME, path: `/${name}` });
    this.#texts.set(uri.path, text);
    this.#changed.fire(uri);
    await window.showTextDocument(uri, { preview: true });
  }
}
