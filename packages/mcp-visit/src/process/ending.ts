/** The way in which a system ends a process with its descendants: by a program, or by a signal to the process group. */
export type Ending =
  | { readonly program: string; readonly args: readonly string[] }
  | { readonly program?: never; readonly group: number };

/**
 * Returns the way in which `platform` ends the process `pid`, which leads a process group if the platform has
 * groups.
 */
export function endingOf(pid: number, platform: NodeJS.Platform): Ending {
  // `/T`: with everything that it started, as Windows remembers it; `/F`: immediately.
  if (platform === "win32") return { program: "taskkill", args: ["/pid", String(pid), "/T", "/F"] };
  return { group: -pid };
}
