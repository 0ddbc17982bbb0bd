import type * as z from "zod";
import { AgentIdSchema } from "./answers/answer-schemas.ts";
import type { VersionName } from "./answers/answers.ts";
import { RegistryClientError } from "./errors.ts";

/** Returns the path of an agent. @throws {@link RegistryClientError} `invalid-option`. */
export function agentPath(agentId: string): string {
  if (AgentIdSchema.safeParse(agentId).success) return `agents/${agentId}`;
  const expected = "1 to 128 letters, digits, dots, dashes and underscores";
  throw new RegistryClientError(
    "invalid-option",
    `expected an agent of ${expected}, received ${JSON.stringify(agentId)}`,
  );
}

/** Returns the ETag of a version. */
export function tagOf({ capability_manifest_version, capability_manifest_hash }: VersionName): string {
  return `"${capability_manifest_version}-${capability_manifest_hash}"`;
}

/** Returns the three members that name a version. */
export function nameOf({ agent_id, capability_manifest_version, capability_manifest_hash }: VersionName): VersionName {
  return { agent_id, capability_manifest_version, capability_manifest_hash };
}

/** @throws {@link RegistryClientError} `invalid-answer` when `value` does not have the form that the registry describes. */
export function checked<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue?.path.join("/") ?? "";
  const message = `the registry's answer does not match its description: ${place && `${place}: `}${issue?.message}`;
  throw new RegistryClientError("invalid-answer", message);
}

/**
 * Returns `answer` if its members are those that were requested or sent.
 *
 * @throws {@link RegistryClientError} `invalid-answer`.
 */
export function asAsked<T extends object>(answer: T, asked: Partial<T>): T {
  for (const [name, expected] of Object.entries(asked)) {
    const received: unknown = Reflect.get(answer, name);
    if (received === expected) continue;
    const values = `expected ${JSON.stringify(expected)}, received ${JSON.stringify(received)}`;
    throw new RegistryClientError(
      "invalid-answer",
      `the registry's answer does not match the request: ${name}: ${values}`,
    );
  }
  return answer;
}
