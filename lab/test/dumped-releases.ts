import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { JsonObject } from "@agentprint/canonical-json";
import { createLock } from "@agentprint/mcp-lock";
import { answersOf } from "@agentprint/testing/lock/offer";
import type { AskedRelease } from "../corpus/src/edits/place-edits.ts";

/** A folder next to the repository with answers from real servers, which may not exist. */
export const DUMPS: string = resolve(import.meta.dirname, "../../../shared/mcp-dumps");

interface Dump {
  readonly serverInfo: JsonObject;
  readonly capabilities: JsonObject;
  readonly instructions: string | null;
  readonly result: { readonly tools: JsonObject[] };
}

const PROMPTS = [{ name: "greet", description: "Greets a person by name", arguments: [{ name: "person" }] }];

const TEXT = { type: "string", description: "A text", default: "a", examples: ["b"] };

/** A tool with kinds of parameters that none of these servers' tools have. */
const RICH = {
  name: "send_mail",
  title: "Send mail",
  description: "Sends a mail to one address and returns its number",
  inputSchema: {
    type: "object",
    properties: {
      to: { ...TEXT, format: "email" },
      kind: { ...TEXT, enum: ["a", "b"] },
      code: { ...TEXT, pattern: "^[a-z]$", maxLength: 9, minLength: 1 },
      count: { type: "integer", minimum: 1, maximum: 9, default: 2 },
      options: {
        type: "object",
        properties: { loud: { type: "boolean", default: false }, note: TEXT },
        required: [],
        additionalProperties: false,
      },
      files: { type: "array", items: { type: "object", properties: { path: TEXT }, required: ["path"] }, maxItems: 3 },
      choice: { anyOf: [{ type: "string", maxLength: 9 }, { type: "null" }] },
    },
    required: ["to"],
    additionalProperties: false,
    $defs: { path: TEXT },
  },
  outputSchema: { type: "object", properties: { id: TEXT }, required: ["id"] },
  annotations: {
    title: "Send",
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: true,
  },
};

/** Returns the releases of each server, oldest first. Each has a prompt, because some edits change one. */
export function releasesOfServers(): AskedRelease[][] {
  const servers = new Map<string, AskedRelease[]>();
  for (const file of readdirSync(DUMPS).sort()) {
    const [, alias = "", version = ""] = /^(.+)@(.+)\.json$/.exec(file) ?? [];
    if (alias === "") continue;
    const name = alias.replace(/^.*(?:server-|__)/, "");
    const { result, serverInfo, capabilities, instructions } = JSON.parse(
      readFileSync(`${DUMPS}/${file}`, "utf8"),
    ) as Dump;
    const answers = answersOf(result.tools, {
      prompts: PROMPTS,
      serverInfo,
      capabilities,
      ...(instructions && { instructions }),
    });
    const [entry] = createLock({ [name]: answers }).servers;
    if (entry === undefined) throw new Error("a lock of one server");
    const release = { name, package: alias, args: [], alias: file, version, entry, seconds: 0, answers };
    servers.set(name, [...(servers.get(name) ?? []), release]);
  }
  const mail = {
    name: "mail",
    package: "mail",
    args: [],
    alias: "mail",
    version: "1",
    seconds: 0,
    answers: answersOf([RICH], { prompts: PROMPTS }),
  };
  const [entry] = createLock({ mail: mail.answers }).servers;
  if (entry !== undefined) servers.set("mail", [{ ...mail, entry }]);
  return [...servers.values()];
}
