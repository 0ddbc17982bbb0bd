import { isJsonObject, type JsonValue, type PathSegment, toPointer } from "@agentprint/canonical-json";
import { findTokens } from "@agentprint/launch/redact";
import { LISTS, type SessionAnswers, type SessionName, type VisitAnswers } from "@agentprint/mcp";
import { checkArgument } from "../check-argument.ts";
import { ValueFinder } from "./find-values.ts";
import type { KnownValue } from "./known-value.ts";

/** The part of an answer that a secret was found in. */
export type ServedKind = "server" | "tool" | "prompt" | "resource" | "resourceTemplate" | "list" | "content";

/** A place where a server sends a secret, which a lock must not contain. This object does not contain the secret. */
export interface ServedSecret {
  readonly session: SessionName;
  readonly kind: ServedKind;
  /** The item's name or URI; absent if the secret is in the greeting, or in the name itself. */
  readonly name?: string;
  /** A JSON Pointer into the item, the result of a list, or the answer to `initialize` or `server/discover`. */
  readonly pointer: string;
  /** The variable or header whose value the secret is. */
  readonly variable?: string;
  /** The service whose tokens have this form. */
  readonly tokenOf?: string;
}

/** A part of a server's answers, and its name. */
interface Part {
  readonly kind: ServedKind;
  readonly name?: string;
  readonly value: JsonValue;
}

/**
 * A value inside a part, linked to its parent, because a server can nest values so deeply that recursion would fail.
 */
interface Nested {
  readonly value: JsonValue;
  readonly segment?: PathSegment;
  readonly parent?: Nested;
}

type Place = Pick<ServedSecret, "pointer" | "variable" | "tokenOf">;

/**
 * Returns the places where a server sends a known value with a secret name, in any encoding, or a token in a well-known
 * form. A lock holds what a server sends, so an answer with such a place must not be pinned.
 *
 * @param known - The values of the visit's variables and headers.
 *
 * @example
 * ```ts
 * import { findSecretsInAnswers } from "@agentprint/mcp-visit";
 *
 * findSecretsInAnswers(answers, [{ name: "API_TOKEN", value: "hunter2" }]);
 * // [{ session: "legacy/client", kind: "tool", name: "search", pointer: "/description", variable: "API_TOKEN" }]
 * ```
 */
export function findSecretsInAnswers(answers: VisitAnswers, known: readonly KnownValue[]): ServedSecret[] {
  checkArgument("answers", answers, { sessions: ["object"] });
  checkArgument("known", known, ["object"]);
  const all = new ValueFinder(known);
  const finder = new ValueFinder(all.values.filter(({ isSecret }) => isSecret));
  const found = new Map<string, ServedSecret>();
  for (const session of answers.sessions) {
    for (const { kind, name, value } of partsOf(session)) {
      const isShown = name !== undefined && findInText(name, finder).length === 0;
      for (const place of findIn(value, finder)) {
        const secret: ServedSecret = {
          session: `${session.era}/${session.view}`,
          kind,
          ...(isShown && { name }),
          ...place,
        };
        // Each reading holds the same item, so each place is kept once.
        found.set(JSON.stringify(secret), secret);
      }
    }
  }
  return [...found.values()];
}

function* partsOf({ greetings, lists, contents, numbers = {} }: SessionAnswers): Generator<Part> {
  for (const value of greetings) yield { kind: "server", value };
  for (const { list, item: kind, key } of LISTS) {
    for (const page of (lists[list] ?? []).flat()) {
      const { [list]: items, ...rest } = page;
      if (!Array.isArray(items)) {
        yield { kind: "list", name: list, value: page };
        continue;
      }
      yield { kind: "list", name: list, value: rest };
      for (const value of items) {
        const name = nameOf(value, key);
        yield { kind, value, ...(name !== undefined && { name }) };
      }
    }
  }
  for (const { name, results } of contents) {
    for (const value of results) yield { kind: "content", name, value };
  }
  // A lock also holds the texts of these numbers. A pointer into all answers is not a place in a single answer.
  for (const text of Object.values(numbers)) yield { kind: "server", value: text };
}

function nameOf(item: JsonValue, key: string): string | undefined {
  const name = isJsonObject(item) ? item[key] : undefined;
  return typeof name === "string" ? name : undefined;
}

function* findIn(root: JsonValue, finder: ValueFinder): Generator<Place> {
  const open: Nested[] = [{ value: root }];
  for (let nested = open.pop(); nested; nested = open.pop()) {
    const { value } = nested;
    if (typeof value === "string") yield* at(nested, findInText(value, finder));
    if (typeof value !== "object" || value === null) continue;
    for (const [name, member] of Object.entries(value)) {
      // A pointer through a member whose name is a secret would quote the secret, so the place is the object that has
      // the member.
      const inName = Array.isArray(value) ? [] : findInText(name, finder);
      yield* at(nested, inName);
      open.push(inName.length > 0 ? { ...nested, value: member } : { value: member, segment: name, parent: nested });
    }
  }
}

function at(nested: Nested, found: readonly Omit<Place, "pointer">[]): Place[] {
  if (found.length === 0) return [];
  const path: PathSegment[] = [];
  for (let step: Nested | undefined = nested; step; step = step.parent) {
    if (step.segment !== undefined) path.push(step.segment);
  }
  const pointer = toPointer(path.reverse());
  return found.map((secret) => ({ pointer, ...secret }));
}

function findInText(text: string, finder: ValueFinder): Omit<Place, "pointer">[] {
  const variables = new Set(finder.find(text).map(({ value }) => value.name));
  return [
    ...[...variables].map((variable) => ({ variable })),
    ...[...findTokens(text)].map(({ service }) => ({ tokenOf: service })),
  ];
}
