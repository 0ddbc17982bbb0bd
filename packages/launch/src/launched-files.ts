import { checkLaunch } from "./check-argument.ts";
import type { Launch } from "./launch.ts";
import { readLaunch } from "./read-launch.ts";
import type { LaunchedFile } from "./reader.ts";

/**
 * Returns the local code files that a launch names: its program, unless it is an interpreter, a shell or a package
 * runner, which change with the system; the script for an interpreter; and the code that its options preload. Each file
 * comes with the place in the launch that names it. Data that a program reads is not included, nor is anything that the
 * files import.
 *
 * @example
 * ```ts
 * import { launchedFiles } from "@agentprint/launch";
 *
 * const [file] = launchedFiles({ type: "stdio", command: "timeout", args: ["100", "node", "server.js"], env: [] });
 * console.log(file?.pointer, file?.path); // /args/2 server.js
 * ```
 */
export function launchedFiles(launch: Launch): LaunchedFile[] {
  checkLaunch("launch", launch);
  return launch.type === "http" ? [] : [...readLaunch(launch).files];
}
