import type { Client, ClientId, ConfigScope } from "@agentprint/client-configs";
import { CLIENT_IDS, CLIENTS } from "@agentprint/client-configs/client-table";
import { type Command, InvalidArgumentError, Option } from "commander";
import { collect } from "../terminal/option-parsers.ts";

/** Which configurations of clients a command reads. */
export interface ClientOptions {
  readonly client: readonly ClientId[];
  readonly scope?: ConfigScope;
  readonly mcpConfig: readonly string[];
}

/** Adds `--client`, `--scope` and `--mcp-config`. */
export function addClientOptions(command: Command): Command {
  return command
    .addOption(
      new Option("--client <id>", `only the configurations of this client; repeatable: ${CLIENT_IDS.join(", ")}`)
        .argParser(clientId)
        .default([]),
    )
    .addOption(
      new Option("--scope <scope>", "only the project's configurations, or only the user's").choices([
        "project",
        "user",
      ]),
    )
    .option("--mcp-config <file>", "read this configuration instead of the clients'; repeatable", collect, []);
}

/** Returns the clients that the options name, or all clients if they name none. */
export function selectClients({ client: ids }: Pick<ClientOptions, "client">): readonly Client[] {
  return ids.length === 0 ? CLIENTS : CLIENTS.filter(({ id }) => ids.includes(id));
}

/** Returns the scopes that the options name. */
export function selectScopes({ scope }: Pick<ClientOptions, "scope">): readonly ConfigScope[] {
  return scope === undefined ? ["project", "user"] : [scope];
}

function clientId(id: string, previous: readonly ClientId[]): ClientId[] {
  const known = CLIENT_IDS.find((each) => each === id);
  if (known) return [...previous, known];
  throw new InvalidArgumentError(`expected one of ${CLIENT_IDS.join(", ")}.`);
}
