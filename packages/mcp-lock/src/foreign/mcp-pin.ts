import { isJsonObject, type JsonObject, type JsonValue, type PathSegment, toPointer } from "@agentprint/canonical-json";
import { nameAt } from "@agentprint/mcp";
import { ToolPinsError } from "@agentprint/tool-pins";
import {
  definitionSetHashV1,
  fingerprintWithWire,
  instructionsHashV1,
  readDefinitionV1,
  toolDefinitionHashV1,
} from "@agentprint/tool-pins/judgement";
import { checkArgument, ENTRY } from "../check-argument.ts";
import { McpLockError } from "../errors.ts";
import { hashDefinition } from "../hash-definition.ts";
import type { LockedServer } from "../lock/lock.ts";
import { sealServer } from "../lock/lock-server.ts";

/**
 * A server as approved by an mcp-pin lock file. The file does not contain the launch: `id` is a hash of the command.
 */
export interface McpPinServer {
  readonly tools: readonly JsonObject[];
  /** Absent if the file does not contain the prompts. */
  readonly prompts?: readonly JsonObject[];
  /** `null` if the server sends none; absent if the file does not contain instructions. */
  readonly instructions?: string | null;
}

/**
 * Reads an mcp-pin lock file (`lockfileVersion` 1), and recomputes every hash in it.
 *
 * @returns The approved definitions, by server name.
 * @throws {@link McpLockError} `invalid-json`, `unsupported-lock-version`, `invalid-lock` if the text is not such a
 * file; `invalid-definition` if a definition has no name; `digest-mismatch` if a definition does not match its hash in
 * the file.
 */
export function parseMcpPinLock(text: string): ReadonlyMap<string, McpPinServer> {
  let file: JsonValue;
  try {
    file = readDefinitionV1(text);
  } catch (error) {
    if (!(error instanceof ToolPinsError)) throw error;
    throw new McpLockError("invalid-json", error.path, error.reason, { cause: error });
  }
  const { lockfileVersion, servers } = objectAt(file, []);
  if (lockfileVersion !== 1) {
    throw new McpLockError("unsupported-lock-version", "/lockfileVersion", "Expected lockfileVersion 1 of mcp-pin");
  }
  const entries = Object.entries(objectAt(servers, ["servers"]));
  return new Map(entries.map(([name, entry]) => [name, readServer(entry, ["servers", name])]));
}

/**
 * Returns the entry that a visit would have produced if the server had sent what mcp-pin's file approves. Parts that
 * the file leaves out (the launch, capabilities, resources, and any missing prompts or instructions) are as in the
 * visit.
 *
 * @throws {@link McpLockError} `invalid-definition`, `duplicate-name` if an entry cannot hold what the file approves.
 */
export function approvedByMcpPin(visited: LockedServer, approved: McpPinServer): LockedServer {
  checkArgument("visited", visited, ENTRY);
  checkArgument("approved", approved, "object");
  const { toolsDigest: _tools, setHashes: _sets, digest: _digest, ...entry } = visited;
  const { instructions, prompts } = approved;
  const others = entry.parts.filter(({ part }) => part !== "instructions" || instructions === undefined);
  const said = typeof instructions === "string" ? [{ part: "instructions" as const, value: instructions }] : [];
  return sealServer({
    ...entry,
    parts: [...others, ...said].sort((a, b) => (a.part < b.part ? -1 : 1)),
    tools: sorted(approved.tools).map((definition) => ({
      definition,
      digests: fingerprintWithWire(definition, hashDefinition(definition)),
    })),
    ...(prompts && {
      prompts: sorted(prompts).map((definition) => ({ definition, digest: hashDefinition(definition) })),
    }),
  });
}

/** Returns descriptions of a server's parts that mcp-pin's file does not cover. */
export function unknownToMcpPin(server: McpPinServer): string[] {
  checkArgument("server", server, "object");
  const { prompts, instructions } = server;
  return [
    "the launch",
    "its files and packages",
    "capabilities",
    "resources",
    ...(prompts === undefined ? ["prompts"] : []),
    ...(instructions === undefined ? ["instructions"] : []),
    "what other clients see",
  ];
}

function readServer(value: JsonValue, at: readonly PathSegment[]): McpPinServer {
  const { tools, setHash, prompts, promptsHash, instructions = null, instructionsHash } = objectAt(value, at);
  const own = { tools: definitionsAt(tools, setHash, [...at, "tools"]) };
  if (instructionsHash !== undefined) {
    expectHash(instructionsHash, instructionsHashV1(instructions), [...at, "instructionsHash"]);
  }
  return {
    ...own,
    ...(prompts !== undefined && { prompts: definitionsAt(prompts, promptsHash, [...at, "prompts"]) }),
    ...(instructionsHash !== undefined && { instructions: typeof instructions === "string" ? instructions : null }),
  };
}

function definitionsAt(value: JsonValue | undefined, setHash: JsonValue | undefined, at: readonly PathSegment[]) {
  if (!Array.isArray(value)) throw new McpLockError("invalid-lock", toPointer(at), "Expected an array");
  const definitions = value.map((item, index) => {
    const place = [...at, index];
    const { name, hash, definition } = objectAt(item, place);
    const found = objectAt(definition, [...place, "definition"]);
    expectHash(hash, toolDefinitionHashV1(found), [...place, "hash"]);
    if (name !== found["name"]) {
      throw new McpLockError("digest-mismatch", toPointer([...place, "name"]), "Expected the name of the definition");
    }
    if (typeof name !== "string") {
      throw new McpLockError(
        "invalid-definition",
        toPointer([...place, "name"]),
        "Expected a string as the name of a definition",
      );
    }
    return found;
  });
  expectHash(setHash, definitionSetHashV1(definitions), at);
  return definitions;
}

function sorted(definitions: readonly JsonObject[]): JsonObject[] {
  const names = definitions.map((definition) => nameAt(definition, "name"));
  const twice = names.findIndex((name, index) => names.indexOf(name) < index);
  if (twice !== -1) throw new McpLockError("duplicate-name", "", "Two definitions of the same kind have the same name");
  return definitions.toSorted((a, b) => (nameAt(a, "name") < nameAt(b, "name") ? -1 : 1));
}

function objectAt(value: JsonValue | undefined, at: readonly PathSegment[]): JsonObject {
  if (isJsonObject(value)) return value;
  throw new McpLockError("invalid-lock", toPointer(at), "Expected an object");
}

function expectHash(written: JsonValue | undefined, computed: string | null, at: readonly PathSegment[]): void {
  if (written === computed) return;
  throw new McpLockError("digest-mismatch", toPointer(at), `Expected ${computed}, the hash of the file's content`);
}
