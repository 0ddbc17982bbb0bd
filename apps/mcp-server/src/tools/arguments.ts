import { isJsonObject, type JsonObject, parseJson, typeName } from "@agentprint/canonical-json";
import * as z from "zod";
import { seesTask } from "../access/principal.ts";
import { McpServerError } from "../errors.ts";
import type { Call } from "./tool.ts";

/** The argument that names a task. */
export const taskId = z.string().min(1).max(512).describe("The name of the task.");

/**
 * Returns the schema of an argument that is a JSON object or JSON text, which is parsed strictly so that no member is
 * lost.
 */
export function jsonObject(description: string): z.ZodUnknown {
  return z.unknown().meta({ type: ["object", "string"], description: `${description}: the object, or its JSON text.` });
}

/**
 * Returns an argument's object, parsed first if the argument is text.
 *
 * @throws {@link McpServerError} `INVALID_ARGUMENT`.
 * @throws {@link CanonicalJsonError} when the text is not strict JSON.
 */
export function readObject(name: string, argument: unknown): JsonObject {
  const value = typeof argument === "string" ? parseJson(argument) : argument;
  if (isJsonObject(value)) return value;
  throw new McpServerError("INVALID_ARGUMENT", `expected a JSON object at /${name}, received ${typeName(value)}`);
}

/**
 * Checks that the caller may see a task.
 *
 * @throws {@link McpServerError} `TASK_FORBIDDEN`, whether the task exists or not.
 */
export function checkTask({ principal }: Call, task: string): void {
  if (seesTask(principal, task)) return;
  throw new McpServerError("TASK_FORBIDDEN", `this token gives no access to the task ${JSON.stringify(task)}`);
}
