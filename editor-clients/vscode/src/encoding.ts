import { knownEncodings } from "./generated/settings";

/** How saving would write a document, as `agent/documentState` tells it. */
export interface Encoding {
  encoding?: string;
  bom?: boolean;
}

/** Encodings that VS Code always writes with a mark. */
const marked = new Set(["utf8bom", "utf16le", "utf16be"]);

/**
 * @param name VS Code's name of the document's encoding
 * @returns nothing where the server does not know it: it then finds out by the file's bytes
 */
export function describeEncoding(name: string): Encoding {
  if (!knownEncodings.has(name)) {
    return {};
  }
  return { encoding: name === "utf8bom" ? "utf8" : name, bom: marked.has(name) };
}
