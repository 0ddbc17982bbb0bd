import { VisitError } from "../errors.ts";
import type { Survivor } from "./survivor.ts";

/**
 * @param earlier - why the visit failed before that, if it did
 * @throws {VisitError} `server-survived`
 */
export function requireNoSurvivors(survivors: readonly Survivor[], earlier: unknown): void {
  if (survivors.length === 0) return;
  const list = survivors.map(({ pid, command }) => `${pid} ${command}`).join("; ");
  const why = earlier instanceof Error ? `; before that: ${earlier.message}` : "";
  throw new VisitError("server-survived", `processes of the server are still running: ${list}${why}`, {
    expected: "that every process of a server ends with it, by SIGKILL within 5 s",
    fix: `end them by hand: kill -9 ${survivors.map(({ pid }) => pid).join(" ")}`,
    survivors,
    cause: earlier,
  });
}
