import { z } from "zod";

/** Text that is not empty. */
export const text: z.ZodString = z.string().min(1);

/** SHA-256 in lowercase hex. */
export const hash: z.ZodString = z.string().regex(/^[0-9a-f]{64}$/, "64 lowercase hex digits");

/** A time in UTC with seconds and no fraction. */
export const time: z.ZodString = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/, "a time in UTC, such as 2026-01-31T12:00:00Z")
  .refine((value) => isTime(value), "a time that exists in the calendar");

/** Returns whether text in the form of a time is a real calendar time, unlike February 30. */
function isTime(value: string): boolean {
  const at = new Date(value);
  return !Number.isNaN(at.getTime()) && at.toISOString() === value.replace("Z", ".000Z");
}

/** Returns a time without its fraction of a second. */
export function timeOf(at: Date): string {
  return at.toISOString().replace(/\.\d+Z$/, "Z");
}
