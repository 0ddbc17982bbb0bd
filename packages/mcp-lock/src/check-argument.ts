import { type ArgumentCheck, type ArgumentForm, argumentCheck } from "@agentprint/canonical-json/json-value";
import type { Launch } from "@agentprint/launch";
import type { CheckFailure, VisitAnswers } from "@agentprint/mcp";
import { McpLockError } from "./errors.ts";

const refuse = (message: string): McpLockError => new McpLockError("invalid-argument", "", message);

/** Refuses an argument that does not have the given form, with `invalid-argument`. */
export const checkArgument: ArgumentCheck = /* @__PURE__ */ argumentCheck(refuse);

/** The part of a lock that every function reads. */
export const LOCK: ArgumentForm = { servers: [{ name: "string", launch: "object" }] };

/** The part of a lock entry that every function reads. */
export const ENTRY: ArgumentForm = {
  ...{ name: "string", launch: "object", sessions: "array", parts: "array" },
  ...{ tools: "array", prompts: "array", resources: "array", resourceTemplates: "array", contents: "array" },
};

function checkLaunch(name: string, launch: Launch): void {
  checkArgument(name, launch, { type: "string" });
  const isHttp = launch.type === "http";
  checkArgument(
    name,
    launch,
    isHttp ? { url: "string", headers: "array" } : { command: "string", args: "array", env: "array" },
  );
}

/** Refuses answers that do not have the form of a visit, and names the first part that is missing or malformed. */
export function checkAnswers(name: string, answers: VisitAnswers): void {
  checkArgument(name, answers, { sessions: "array", client: "string", clientCapabilities: "object" });
  checkLaunch(`${name}.launch`, answers.launch);
  for (const [index, session] of answers.sessions.entries()) {
    const at = `${name}.sessions[${index}]`;
    checkArgument(at, session, {
      protocolVersion: "string",
      greetings: ["object"],
      lists: "object",
      contents: "array",
    });
    checkWord(`${at}.era`, session.era, ["modern", "legacy"]);
    checkWord(`${at}.view`, session.view, ["client", "bare"]);
    const lists = Object.keys(session.lists).map((list) => [list, [["object"]]] as const);
    checkArgument(`${at}.lists`, session.lists, Object.fromEntries(lists));
    checkArgument(`${at}.contents`, session.contents, [{ results: ["object"] }]);
  }
}

/** Refuses a value that is neither a visit's answers nor its failure. */
export function checkFound(name: string, servers: Readonly<Record<string, VisitAnswers | CheckFailure>>): void {
  checkArgument(name, servers, "object");
  for (const [server, found] of Object.entries(servers)) {
    checkArgument(`${name}.${server}`, found, "object");
    if (!("failure" in found)) checkAnswers(`${name}.${server}`, found);
  }
}

function checkWord(name: string, value: unknown, words: readonly string[]): void {
  if (words.includes(value as string)) return;
  const received = typeof value === "string" ? JSON.stringify(value) : typeof value;
  throw refuse(`${name}: expected ${words.map((word) => `"${word}"`).join(" or ")}, received ${received}`);
}
