// How the server is started: no part of the editor, so that it can be tested without one.

import * as path from "node:path";

/** Whether a file is there and may be run. */
export type Exists = (file: string) => boolean;

/**
 * The words that start the server.
 *
 * `configured` is the user's setting and wins; `python` the interpreter of the workspace, whose environment is
 * used where memlint lies in it; else it is the memlint on the path.
 */
export function serverCommand(
  configured: readonly string[],
  python: string | undefined,
  exists: Exists,
  platform: NodeJS.Platform = process.platform,
): string[] {
  if (configured.length > 0) {
    return [...configured];
  }
  if (python !== undefined) {
    const windows = platform === "win32";
    const join = windows ? path.win32.join : path.posix.join;
    const folder = windows ? path.win32.dirname(python) : path.posix.dirname(python);
    const inside = join(folder, windows ? "memlint.exe" : "memlint");
    if (exists(inside)) {
      return [inside, "server"];
    }
  }
  return ["memlint", "server"];
}
