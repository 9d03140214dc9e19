/**
 * What assistants want files to hold, as documents that the person can edit first. They are held in
 * memory: nobody is asked where to save them.
 */
import { Disposable, EventEmitter, FileSystemError, FileType, Uri, workspace } from "vscode";
import type { FileChangeEvent, FileStat, FileSystemProvider } from "vscode";

const SCHEME = "agent-lsp-proposal";

export class Proposals implements FileSystemProvider, Disposable {
  readonly #files = new Map<string, { bytes: Uint8Array; mtime: number; asked: Uint8Array }>();
  readonly #changed = new EventEmitter<FileChangeEvent[]>();
  #number = 0;

  readonly onDidChangeFile = this.#changed.event;

  readonly #registration = workspace.registerFileSystemProvider(SCHEME, this, {
    isCaseSensitive: true,
  });

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
  }

  /** @param name of the file it is for */
  async add(name: string, text: string): Promise<Uri> {
    const path = name.startsWith("/") ? name : `/${name}`;
    const uri = Uri.from({ scheme: SCHEME, path, query: String(++this.#number) });
    const bytes = await workspace.encode(text, { uri });
    this.#files.set(uri.toString(), { bytes, asked: bytes, mtime: Date.now() });
    return uri;
  }

  /** What the person made of it; undefined when it is as it was asked for. */
  async edited(uri: Uri): Promise<string | undefined> {
    const document = workspace.textDocuments.find((d) => d.uri.toString() === uri.toString());
    if (document?.isDirty) {
      await document.save(); // so that its tab closes without a question
    }
    const file = this.#files.get(uri.toString());
    if (!file || Buffer.compare(file.bytes, file.asked) === 0) {
      return undefined;
    }
    return workspace.decode(file.bytes, { uri });
  }

  remove(uri: Uri): void {
    this.#files.delete(uri.toString());
  }

  stat(uri: Uri): FileStat {
    const { bytes, mtime } = this.#get(uri);
    return { type: FileType.File, ctime: mtime, mtime, size: bytes.length };
  }

  readFile(uri: Uri): Uint8Array {
    return this.#get(uri).bytes;
  }

  writeFile(uri: Uri, bytes: Uint8Array): void {
    Object.assign(this.#get(uri), { bytes, mtime: Date.now() });
  }

  watch(): Disposable {
    return new Disposable(() => undefined); // only the editor itself changes them
  }

  readDirectory(): [string, FileType][] {
    return [];
  }

  createDirectory(uri: Uri): void {
    throw FileSystemError.NoPermissions(uri);
  }

  delete(uri: Uri): void {
    throw FileSystemError.NoPermissions(uri);
  }

  rename(uri: Uri): void {
    throw FileSystemError.NoPermissions(uri);
  }

  #get(uri: Uri) {
    const file = this.#files.get(uri.toString());
    if (!file) {
      throw FileSystemError.FileNotFound(uri);
    }
    return file;
  }
}
