import {
  type ClientMemory,
  createRegistryClient,
  type RegistryClient,
  RegistryClientError,
} from "@agentprint/registry-api";
import { type Command, InvalidArgumentError } from "commander";
import { readIfPresent } from "../files/planned-file.ts";
import { replaceFile } from "../files/replace-file.ts";
import { withWriterMutex } from "../files/update-file.ts";
import type { Context } from "../run/context.ts";
import { CliError } from "../run/errors.ts";

/** The variable with the registry's key; a key on a command line would be visible to everyone on the machine. */
export const TOKEN_VARIABLE = "AGENTPRINT_PUBLISH_TOKEN";

/** The maximum number of times that a temporarily failed request is sent again. */
const RETRIES = 4;

/** The default file of the memory: next to the lock, so that it can be committed. */
const MEMORY_FILE = "agentprint.registry.json";

/** The remedies for the error codes of the registry. */
const FIXES: ReadonlyMap<string, { readonly fix: string }> = new Map([
  ["UNAUTHENTICATED", { fix: `set ${TOKEN_VARIABLE} to a key that agentprint-registry keys issue wrote` }],
  ["KEY_SUSPENDED", { fix: "ask the operator to confirm the key: agentprint-registry keys confirm <id>" }],
  ["FORBIDDEN", { fix: "set a key for this agent: agentprint-registry keys issue --agent <id>" }],
  ["AGENT_NOT_FOUND", { fix: "check the id, or add the agent with agentprint manifest publish --create" }],
]);

/** The registry options of a command. */
export interface RegistryOptions {
  readonly registry: string;
  /** The file with the memory of registries; `false` for none. */
  readonly memory: string | false;
  readonly acceptRollback: boolean;
}

/** Adds `--registry` and the option for its memory to a command. */
export function addRegistryOption(command: Command): Command {
  return command
    .requiredOption("--registry <url>", "the registry's address: https:, or http: on this machine")
    .option("--memory <file>", "remember the key of the registry and the last versions here; commit it", MEMORY_FILE)
    .option("--no-memory", "do not compare with anything that was seen before")
    .option("--accept-rollback", "accept and remember a history that differs from the remembered one", false);
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
 * Returns a client of the chosen registry, with the key from the environment, which no output shows.
 *
 * @param deadline The signal that ends all requests together
 * @param waits Whether a stream waits for a registry that does not answer, for as long as that takes
 */
export function openRegistry(
  context: Context,
  options: RegistryOptions,
  { deadline, waits = false }: { readonly deadline?: AbortSignal; readonly waits?: boolean } = {},
): RegistryClient {
  const { registry, memory: file, acceptRollback } = options;
  const { env, signal, hidden } = context;
  const token = env[TOKEN_VARIABLE];
  if (token !== undefined && token !== "") hidden.hide([{ name: TOKEN_VARIABLE, value: token }]);
  const credentials = token === undefined || token === "" ? {} : { token };
  const ending = signal && deadline ? AbortSignal.any([signal, deadline]) : (signal ?? deadline);
  const memory = file === false ? {} : { memory: memoryIn(context, file) };
  return createRegistryClient({
    url: registry,
    ...credentials,
    ...memory,
    acceptRollback,
    ...(waits ? {} : { retries: RETRIES }),
    ...(ending && { signal: ending }),
  });
}

/** Returns a memory of registries in a file; every write replaces the file. */
function memoryIn(context: Context, file: string): ClientMemory {
  return {
    read: () => readIfPresent(context, file),
    write: (text) => replaceFile(context, file, text),
    exclusive: (run) => withWriterMutex(file, context.pathOf(file), run),
  };
}

/**
 * Runs an operation on a registry.
 *
 * @throws {@link CliError} `registry-failed` with the registry's answer, or the reason why it is unreachable;
 * `rolled-back` or `forked` when it contradicts the remembered one
 */
export async function withRegistry<T>({ registry }: RegistryOptions, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RegistryClientError)) throw error;
    const { problem, code } = error;
    if (code === "rolled-back" || code === "forked") {
      const fix = "ask its operator; --accept-rollback accepts and remembers the new history";
      throw new CliError(code, error.message, { where: registry, fix, cause: error });
    }
    const [first] = problem?.errors ?? [];
    throw new CliError("registry-failed", error.message, {
      where: first?.pointer === undefined ? registry : `${registry} at ${first.pointer}`,
      ...(problem && FIXES.get(problem.code)),
      cause: error,
    });
  }
}
