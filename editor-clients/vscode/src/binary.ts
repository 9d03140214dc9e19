/** Finding the server's program, and telling what is wrong when there is none. */
import { execFile } from "node:child_process";
import { access, constants, open } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";

export interface Binary {
  path: string;
  /** As it says itself; a build from source says a commit. */
  version: string;
}

/** Why there is no server, and what the person can do: one message says both. */
export class NoBinary extends Error {
  constructor(
    message: string,
    /** The setting `agentLSP.server.path` is what is to be changed. */
    readonly bySetting: boolean,
  ) {
    super(message);
  }
}

export interface Places {
  /** The setting `agentLSP.server.path`, whatever was written there; "" when it is not set. */
  setting: unknown;
  /** The extension's own folder. */
  extension: string;
  /** `PATH` of the environment. */
  path: string;
  /** The extension's version, which says what servers it can talk to. */
  version: string;
  platform: NodeJS.Platform;
  arch: string;
}

/**
 * The setting decides alone where it is set; else the program that came with the extension, else
 * the one in PATH.
 *
 * @throws {NoBinary}
 */
export async function findBinary(places: Places): Promise<Binary> {
  if (places.setting !== "") {
    return bySetting(places.setting, places);
  }
  const problems: string[] = [];
  for (const file of candidates(places)) {
    if (await isExecutable(file)) {
      try {
        return await examine(file, places);
      } catch (error) {
        problems.push(`${file} ${await reason(error, file, places)}`);
      }
    }
  }
  const here = `${places.platform}-${places.arch}`;
  throw new NoBinary(
    problems.length > 0
      ? `agent-lsp cannot start: ${problems.join("; ")}. Install the extension that is built for ${here}, or set agentLsp.server.path.`
      : `agent-lsp has no server for ${here}: none came with the extension and none is in PATH. Install the extension that is built for ${here}, or build agent-lsp and set agentLsp.server.path.`,
    false,
  );
}

async function bySetting(setting: unknown, places: Places): Promise<Binary> {
  const fail = (why: string) =>
    new NoBinary(`agent-lsp cannot start: agentLSP.server.path, ${String(setting)}, ${why}.`, true);
  if (typeof setting !== "string") {
    throw fail("is not a text");
  }
  if (!path.isAbsolute(setting)) {
    throw fail("is not an absolute path");
  }
  try {
    await access(setting);
  } catch {
    throw fail("does not exist");
  }
  if (!(await isExecutable(setting))) {
    throw fail("is not a program that you may run");
  }
  try {
    return await examine(setting, places);
  } catch (error) {
    throw fail(await reason(error, setting, places));
  }
}

function candidates(places: Places): string[] {
  const name = places.platform === "win32" ? "agent-lsp.exe" : "agent-lsp";
  const folders = places.path.split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  return [path.join(places.extension, "server", name), ...folders.map((f) => path.join(f, name))];
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

class Unfit extends Error {}

async function examine(file: string, places: Places): Promise<Binary> {
  const said = await ask(file);
  const version = /^agent-lsp (\S+)$/m.exec(said)?.[1];
  if (version === undefined) {
    throw new Unfit("is not agent-lsp");
  }
  if (!compatible(version, places.version)) {
    throw new Unfit(
      `is version ${version}, but this extension is ${places.version}; use the same for both`,
    );
  }
  return { path: file, version };
}

const PATIENCE = 10_000; // ms; a cold disk or a virus scanner can take seconds

async function ask(file: string): Promise<string> {
  const { stdout } = await promisify(execFile)(file, ["version"], {
    timeout: PATIENCE,
    windowsHide: true,
  });
  return stdout;
}

/** Up to 1.0 the minor version tells what fits together. Builds from source say what they like. */
export function compatible(server: string, extension: string): boolean {
  const a = /^v?(\d+)\.(\d+)\./.exec(server);
  const b = /^v?(\d+)\.(\d+)\./.exec(extension);
  return !a || !b || (a[1] === b[1] && (a[1] !== "0" || a[2] === b[2]));
}

const FOREIGN = "is built for another kind of machine";

/** Continues a sentence that begins with the program's path. */
async function reason(error: unknown, file: string, places: Places): Promise<string> {
  if (error instanceof Unfit) {
    return error.message;
  }
  const { code, killed } = error as NodeJS.ErrnoException & { killed?: boolean };
  if (killed) {
    return "does not answer";
  }
  if (code === "ENOEXEC" || code === "EBADARCH" || (await isForeign(file, places))) {
    return FOREIGN;
  }
  switch (code) {
    case "ENOENT":
      return "needs a loader that this machine lacks";
    case "EACCES":
    case "EPERM":
      return "may not be run (is its disk mounted noexec?)";
  }
  return `fails: ${error instanceof Error ? error.message.trim().split("\n").slice(0, 2).join(" ") : String(error)}`;
}

const machines: Record<string, number> = { x64: 0x3e, arm64: 0xb7 }; // as ELF numbers them

/**
 * Whether a program is for another system or processor. Needed because the C library hands what it
 * cannot run to the shell, whose complaint says nothing.
 */
async function isForeign(file: string, places: Places): Promise<boolean> {
  const head = Buffer.alloc(20);
  const handle = await open(file).catch(() => undefined);
  await handle?.read(head, 0, head.length, 0);
  await handle?.close();
  const elf = head.toString("latin1", 0, 4) === "\x7fELF";
  if (places.platform !== "linux") {
    return elf;
  }
  const machO = head.readUInt32LE(0) === 0xfeedfacf;
  const windows = head.toString("latin1", 0, 2) === "MZ";
  const machine = machines[places.arch];
  return machO || windows || (elf && machine !== undefined && head.readUInt16LE(18) !== machine);
}
