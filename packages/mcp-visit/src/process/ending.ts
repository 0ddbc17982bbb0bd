/** How a system ends a process and its descendants: with a program, or with a signal to the process group. */
export type Ending =
  | { readonly program: string; readonly args: readonly string[] }
  | { readonly program?: never; readonly group: number };

/** Returns how `platform` ends the process `pid`, which is the leader of a process group if the platform has groups. */
export function endingOf(pid: number, platform: NodeJS.Platform): Ending {
  // `/T` includes everything that the process started, as far as Windows remembers; `/F` ends it immediately.
  if (platform === "win32") return { program: "taskkill", args: ["/pid", String(pid), "/T", "/F"] };
  return { group: -pid };
}
