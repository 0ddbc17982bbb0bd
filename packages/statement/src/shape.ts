import { type JsonValue, toPointer } from "@agentprint/canonical-json";
import type { z } from "zod";
import { StatementError, type StatementErrorCode } from "./errors.ts";

/**
 * Returns a value in the form that a schema describes, without members that the schema does not name, because in-toto
 * requires consumers to ignore them.
 *
 * @throws {@link StatementError} `code` with the place of the first part that does not fit
 */
export function checkShape<T>(schema: z.ZodType<T>, value: JsonValue, code: StatementErrorCode): T {
  const { data, error } = schema.safeParse(value);
  const [issue] = error?.issues ?? [];
  if (issue === undefined) return data as T;
  throw new StatementError(code, issue.message, { path: toPointer(issue.path.map(String)), expected: issue.message });
}
