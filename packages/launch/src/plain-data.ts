import { checkLaunch } from "./check-argument.ts";
import type { Launch } from "./launch.ts";
import { readLaunch } from "./read-launch.ts";
import type { PlainData } from "./reader.ts";

/**
 * Returns the parts of a launch that are plain data: arguments of its script, program, package or image, and values of
 * variables that its words set. No part is the command, a program, script, package, image, folder or option, or text
 * that a shell or an interpreter reads as code. A word whose reader is unknown is not plain data.
 *
 * A part's text may still change how the launch is read: an argument that names a code file is no longer plain data.
 *
 * @example
 * ```ts
 * import { plainDataOf } from "@agentprint/launch";
 *
 * const args = ["run", "-e", "TOKEN=x", "image", "serve", "--root=/srv"];
 * const data = plainDataOf({ type: "stdio", command: "docker", args, env: [] });
 * console.log(data.map(({ argument, start }) => args[argument]?.slice(start))); // [ 'x', '/srv' ]
 * ```
 */
export function plainDataOf(launch: Launch): readonly PlainData[] {
  checkLaunch("launch", launch);
  return launch.type === "http" ? [] : readLaunch(launch).plainData;
}
