import { checkArgument, copyLines, requireName } from "../check-argument.ts";
import { guarded } from "../errors.ts";
import type { HashOptions } from "../hash/hash-options.ts";
import { hashPlainObject } from "../hash/hash-plain-object.ts";
import { opaqueSchemaNames } from "../hash/opaque-schemas.ts";
import type { Composable } from "./composable.ts";
import { assertComposable } from "./hashed-definition.ts";
import { staticTools } from "./static-tools.ts";

/** Argument of {@link createRegisteredAgent}. */
export interface AgentDefinition<Root extends Composable> {
  readonly agentId: string;
  readonly name: string;
  /** Lines, whose order counts. Each line is trimmed, and empty lines are dropped. */
  readonly instructions?: readonly string[] | undefined;
  /** The application's data about the agent. It is not hashed. */
  readonly staticContext?: Readonly<Record<string, unknown>> | undefined;
  readonly root: Root;
}

/** An agent template: its identity, all tools that it could ever use, and its fingerprint. */
export interface RegisteredAgent<Root extends Composable = Composable> {
  readonly agentId: string;
  readonly name: string;
  readonly instructions: readonly string[];
  /** The application's data about the agent. No hash covers it. */
  readonly staticContext: Readonly<Record<string, unknown>>;
  readonly root: Root;
  /** 64 lowercase hex digits. */
  readonly staticHash: string;
  /** Names of tools whose schema is not completely covered by any digest. */
  readonly opaqueSchemas: readonly string[];
  /** The options with which the agent was registered. They are the default for its links. */
  readonly hashOptions: HashOptions;
  /** Returns `staticHash` with other options. */
  computeStaticHash(options?: HashOptions): string;
}

/** The object that is hashed for an agent template. */
export interface RegisteredAgentPayload {
  readonly rootComposableHash: string;
  readonly agentInstructions: readonly string[];
}

/**
 * Registers an agent and computes one fingerprint of its instructions and its root composable.
 *
 * @param definition - Id, name, instructions, static context and root. Id, name and static context are not hashed.
 * @param options - The sort order and how schemas are hashed, for this agent and its links.
 * @returns A frozen agent.
 * @throws {@link CapabilityError} `invalid-argument` when a member of the definition has the wrong type
 * @throws {@link CapabilityError} `schema-failed`, `unstable-schema` or `opaque-schema` when a schema has no fingerprint
 * @see Capability hashing, "Registered agent template (`staticHash`)"
 * @example
 * ```ts
 * import { createRegisteredAgent, toolkit } from "@agentprint/agent-capabilities";
 *
 * const agent = createRegisteredAgent({
 *   agentId: "support-1",
 *   name: "Support",
 *   instructions: ["  Be kind.  ", ""],
 *   root: toolkit([], { name: "empty" }),
 * });
 * agent.instructions; // ["Be kind."]
 * ```
 */
export function createRegisteredAgent<const Root extends Composable>(
  definition: AgentDefinition<Root>,
  options: HashOptions = {},
): RegisteredAgent<Root> {
  return guarded("invalid-argument", "the definition of an agent", () => register(definition, options));
}

function register<const Root extends Composable>(
  definition: AgentDefinition<Root>,
  options: HashOptions,
): RegisteredAgent<Root> {
  const { agentId, name, root, staticContext } = definition;
  requireName("agentId", agentId);
  requireName(`agent "${agentId}": name`, name);
  assertComposable(root, `agent "${agentId}": root`);
  const lines = copyLines(`agent "${agentId}": instructions`, definition.instructions) ?? [];
  const instructions = Object.freeze(lines.map((line) => line.trim()).filter((line) => line !== ""));
  const computeStaticHash = (hashOptions: HashOptions = options): string =>
    hashPlainObject(registeredAgentCanonicalPayload({ root, instructions }, hashOptions), hashOptions);
  return Object.freeze({
    agentId,
    name,
    instructions,
    staticContext: Object.freeze({ ...staticContext }),
    root,
    staticHash: computeStaticHash(),
    opaqueSchemas: Object.freeze(opaqueSchemaNames(staticTools(root), options)),
    hashOptions: Object.freeze({ ...options }),
    computeStaticHash,
  });
}

/**
 * Returns the object that is hashed for an agent template.
 *
 * @param agent - Root and instructions of a registered agent.
 * @param options - The sort order and how schemas are hashed.
 * @returns The payload.
 * @throws {@link CapabilityError} `schema-failed`, `unstable-schema` or `opaque-schema` when a schema has no fingerprint
 * @see Capability hashing, "Registered agent template (`staticHash`)"
 * @example
 * ```ts
 * import { registeredAgentCanonicalPayload, toolkit } from "@agentprint/agent-capabilities";
 *
 * const root = toolkit([], { name: "empty" });
 * registeredAgentCanonicalPayload({ root, instructions: ["Be kind."] }).agentInstructions; // ["Be kind."]
 * ```
 */
export function registeredAgentCanonicalPayload(
  agent: Pick<RegisteredAgent, "root" | "instructions">,
  options: HashOptions = {},
): RegisteredAgentPayload {
  checkArgument("agent", agent, { root: "object" });
  checkArgument("options", options, "object");
  return { rootComposableHash: agent.root.computeStaticHash(options), agentInstructions: [...agent.instructions] };
}
