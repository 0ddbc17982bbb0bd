import type { JsonValue } from "@agentprint/canonical-json";
import { isJsonObject, type JsonObject } from "@agentprint/canonical-json/json-value";
import type { VisitAnswers } from "@agentprint/mcp";
import { z } from "zod";
import { CliError } from "../run/errors.ts";

const anObject = z.custom<JsonObject>((value) => isJsonObject(value as JsonValue), "expected an object");
const texts = z.array(z.string());
const answers = z.array(z.array(anObject)).exactOptional();
const visit: z.ZodType<VisitAnswers> = z.object({
  launch: z.discriminatedUnion("type", [
    z.object({
      type: z.literal("stdio"),
      command: z.string(),
      args: texts,
      cwd: z.string().exactOptional(),
      env: texts,
    }),
    z.object({ type: z.literal("http"), url: z.string(), headers: texts }),
  ]),
  client: z.string(),
  clientCapabilities: anObject,
  eras: z.array(z.enum(["legacy", "modern"])).exactOptional(),
  sessions: z
    .array(
      z.object({
        era: z.enum(["legacy", "modern"]),
        view: z.enum(["client", "bare"]),
        protocolVersion: z.string(),
        greetings: z.array(anObject).min(1),
        lists: z.object({ tools: answers, prompts: answers, resources: answers, resourceTemplates: answers }),
        contents: z.array(
          z.object({ kind: z.enum(["ui", "prompt", "resource"]), name: z.string(), results: z.array(anObject) }),
        ),
      }),
    )
    .min(1),
});

/**
 * Returns the visit in a JSON value, as `visitServer` of `@agentprint/mcp-visit` returns it.
 *
 * @param file The file with the value, for errors
 * @throws {@link CliError} `unreadable-input` if the value has another form
 */
export function savedVisit(value: JsonValue, file: string): VisitAnswers {
  const read = visit.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new CliError("unreadable-input", `${file} is neither a lock nor a visit: ${issue?.message ?? ""}`, {
    where: `${file} at /${issue?.path.map(String).join("/") ?? ""}`,
    expected: "a lock, or the answers of a visit as visitServer of @agentprint/mcp-visit returns them",
  });
}
