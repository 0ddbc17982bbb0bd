import { isJsonObject, type JsonObject, type JsonValue } from "@agentprint/canonical-json";
import type { ContentAnswers, Limits } from "@agentprint/mcp";
import { VisitError } from "../errors.ts";
import { MAX_RESOURCE_BYTES } from "../limits.ts";
import type { Session } from "../session/session.ts";

/** The number of times that each content is requested in a session, so that differing answers are detected. */
export const READINGS = 2;
const TEXT = /^text\/|[/+](?:json|xml|yaml|toml|javascript|typescript|markdown)\b/i;

/** A request for the content of a resource or prompt. */
export interface ContentQuestion {
  readonly kind: ContentAnswers["kind"];
  readonly name: string;
  readonly method: "resources/read" | "prompts/get";
  readonly params: JsonObject;
}

/** Returns the resources that a tool refers to as its user interface: every string in it that begins with `ui://`. */
export function uiQuestions(tools: readonly JsonObject[]): ContentQuestion[] {
  const found = new Set<string>();
  const pending: JsonValue[] = [...tools];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (typeof value === "string" && value.startsWith("ui://")) found.add(value);
    else if (typeof value === "object" && value !== null)
      for (const member of Object.values(value)) pending.push(member);
  }
  return [...found].sort().map((uri) => ({ kind: "ui", name: uri, method: "resources/read", params: { uri } }));
}

/** Returns the prompts that do not require arguments. */
export function promptQuestions(prompts: readonly JsonObject[]): ContentQuestion[] {
  return prompts.flatMap((prompt) => {
    const { name } = prompt;
    if (typeof name !== "string" || needsArguments(prompt)) return [];
    return [{ kind: "prompt", name, method: "prompts/get", params: { name } }];
  });
}

/** Returns whether a prompt can be read only with values for its arguments. */
export function needsArguments({ arguments: parameters }: JsonObject): boolean {
  return Array.isArray(parameters) && parameters.some((one) => isJsonObject(one) && one["required"] === true);
}

/** Returns the resources that are text or have no media type, and do not declare a size above the limit. */
export function resourceQuestions(resources: readonly JsonObject[]): ContentQuestion[] {
  return resources.flatMap(({ uri, mimeType, size }) => {
    const text = typeof mimeType !== "string" || TEXT.test(mimeType);
    const long = typeof size === "number" && size > MAX_RESOURCE_BYTES;
    if (typeof uri !== "string" || !text || long) return [];
    return [{ kind: "resource", name: uri, method: "resources/read", params: { uri } }];
  });
}

/**
 * Sends each request twice. A request that fails both times has no results, because the server refuses every client in
 * the same way.
 *
 * @throws {@link VisitError} `server-unstable` if a request is answered once and refused once.
 * @throws {@link VisitError} `server-limit` if the server refers to more contents than the limit allows.
 */
export async function readContents(
  session: Session,
  questions: readonly ContentQuestion[],
  limits: Limits,
  warn: (sentence: string) => void,
): Promise<ContentAnswers[]> {
  if (questions.length > limits.maxItems) {
    throw new VisitError("server-limit", `the server refers to more than ${limits.maxItems} contents`, {
      expected: `at most ${limits.maxItems} prompts and resources to read`,
      fix: "raise maxItems under visits in agentprint.config.json if the server really has that many",
    });
  }
  const answers: ContentAnswers[] = [];
  for (const { kind, name, method, params } of questions) {
    const results: JsonObject[] = [];
    for (let reading = 0; reading < READINGS; reading++) {
      const result = await ask(session, method, params, limits, (why) =>
        warn(`${kind} ${name} cannot be read: ${why}`),
      );
      if (result !== undefined) results.push(result);
    }
    if (results.length === 1) {
      throw new VisitError("server-unstable", `the server returned ${name} once and refused it once`, {
        expected: "the same answer to the same question",
      });
    }
    if (kind === "resource" && results.some(isTooLong))
      warn(`resource ${name} is longer than ${MAX_RESOURCE_BYTES} bytes`);
    else answers.push({ kind, name, results });
  }
  return answers;
}

async function ask(
  session: Session,
  method: string,
  params: JsonObject,
  limits: Limits,
  refused: (why: string) => void,
): Promise<JsonObject | undefined> {
  try {
    return await session.request(method, params, { timeout: limits.requestTimeout });
  } catch (error) {
    if (!(error instanceof VisitError) || error.code !== "server-error") throw error;
    refused(error.message);
    return undefined;
  }
}

function isTooLong({ contents }: JsonObject): boolean {
  const parts = Array.isArray(contents) ? contents : [];
  const texts = parts.map((part) => (isJsonObject(part) ? (part["text"] ?? part["blob"]) : undefined));
  const bytes = texts.map((text) => (typeof text === "string" ? Buffer.byteLength(text) : 0));
  return bytes.reduce((sum, count) => sum + count, 0) > MAX_RESOURCE_BYTES;
}
