import { VisitError } from "../errors.ts";
import type { Survivor } from "../survivor.ts";

/**
 * Throws unless all processes of a server have ended.
 *
 * @param earlier - The error that the visit had already failed with, if any.
 * @throws {@link VisitError} `server-survived` if a process is still running.
 */
export function requireNoSurvivors(survivors: readonly Survivor[], earlier: unknown): void {
  if (survivors.length === 0) return;
  const list = survivors.map(({ pid, command }) => `${pid} ${command}`).join("; ");
  const why = earlier instanceof Error ? `; before that: ${earlier.message}` : "";
  throw new VisitError("server-survived", `processes of the server are still running: ${list}${why}`, {
    expected: "that every process of a server ends with the server, by SIGKILL within 5 s",
    fix: `end them by hand: kill -9 ${survivors.map(({ pid }) => pid).join(" ")}`,
    survivors,
    cause: earlier,
  });
}
