import { TrailError } from "@agentprint/trail/checkpoint";
import type { Time } from "../store-options.ts";

/**
 * Returns a time in a form that PostgreSQL reads in the same way in every session time zone.
 *
 * @throws {@link TrailError} `invalid-time` when `time` is an invalid date.
 */
export function timeText(time: Time): string {
  if (typeof time === "string") return time;
  if (Number.isNaN(time.getTime())) throw new TrailError("invalid-time", "expected a time, received an invalid date");
  return time.toISOString();
}
