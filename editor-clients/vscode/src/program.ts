/** Running the server's program for its other commands, such as doctor. */
import { execFile } from "node:child_process";

export interface Ran {
  /** null when it was ended, or could not be run. */
  code: number | null;
  stdout: string;
  stderr: string;
}

const PATIENCE = 30_000; // ms

export function run(program: string, args: string[], cwd?: string): Promise<Ran> {
  return new Promise((resolve) => {
    const options = { timeout: PATIENCE, windowsHide: true, ...(cwd !== undefined && { cwd }) };
    const child = execFile(program, args, options, (error, stdout, stderr) => {
      resolve({ code: child.exitCode, stdout, stderr: stderr || (error?.message ?? "") });
    });
  });
}
