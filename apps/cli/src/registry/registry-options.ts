import { createRegistryClient, type RegistryClient, RegistryClientError } from "@agentprint/registry-client";
import { type Command, InvalidArgumentError } from "commander";
import type { Context } from "../context.ts";
import { CliError } from "../errors.ts";

/** The variable with the key of the registry; a key on a command line would be seen by everybody on the machine. */
export const TOKEN_VARIABLE = "AGENTPRINT_PUBLISH_TOKEN";

/** What to do about a code of the registry. */
const FIXES: ReadonlyMap<string, { readonly fix: string }> = new Map([
  ["UNAUTHENTICATED", { fix: `set ${TOKEN_VARIABLE} to a key that agentprint-registry keys issue wrote` }],
  ["FORBIDDEN", { fix: "set a key for this agent: agentprint-registry keys issue --agent <id>" }],
  ["AGENT_NOT_FOUND", { fix: "check the id, or add the agent with agentprint manifest publish --create" }],
]);

/** Which registry a command talks to. */
export interface RegistryOptions {
  readonly registry: string;
}

/** Adds `--registry` to a command. */
export function addRegistryOption(command: Command): Command {
  return command.requiredOption("--registry <url>", "where the registry answers: https:, or http: of this machine");
}

/** Commander argument parser: the id of an agent. */
export function agentId(text: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(text)) return text;
  throw new InvalidArgumentError("expected 1 to 128 letters, digits, dots, dashes and underscores.");
}

/** Commander argument parser: the ids of agents. */
export function agentIds(text: string, previous: readonly string[] = []): string[] {
  return [...previous, agentId(text)];
}

/**
 * A client of the registry of the options, with the key of the environment, which no output shows.
 *
 * @param retries How often a request that failed in passing is sent again
 */
export function openRegistry(context: Context, { registry }: RegistryOptions, retries = 4): RegistryClient {
  const { env, signal, hidden } = context;
  const token = env[TOKEN_VARIABLE];
  if (token !== undefined && token !== "") hidden.hide([{ name: TOKEN_VARIABLE, value: token }]);
  const credentials = token === undefined || token === "" ? {} : { token };
  return createRegistryClient({ url: registry, ...credentials, retries, ...(signal && { signal }) });
}

/**
 * Does something with a registry.
 *
 * @throws {@link CliError} `registry-failed` with what the registry said, or why it could not be asked
 */
export async function withRegistry<T>({ registry }: RegistryOptions, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RegistryClientError)) throw error;
    const { problem } = error;
    const [first] = problem?.errors ?? [];
    throw new CliError("registry-failed", error.message, {
      where: first?.pointer === undefined ? registry : `${registry} at ${first.pointer}`,
      ...(problem && FIXES.get(problem.code)),
      cause: error,
    });
  }
}
