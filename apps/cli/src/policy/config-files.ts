import { isJsonObject, type JsonValue } from "@agentprint/canonical-json/json-value";
import type { Context } from "../context.ts";
import { CliError } from "../errors.ts";
import { printNotices } from "../terminal/notices.ts";

/** The options that name a configuration. */
interface ConfigOptions {
  /** The configuration of agentprint. */
  readonly config?: string;
  /** Clients' configurations. */
  readonly mcpConfig: readonly string[];
}

/** The members of a server in a policy. A client's configuration has servers with other members. */
const OF_POLICIES = new Set(["preset", "failOn", "rules", "calls"]);

/**
 * The options of a command whose `--config` names the configuration of agentprint. Up to now the option named a client's
 * configuration: such a file is still read as one, with a notice.
 */
export async function withConfigFiles<Options extends ConfigOptions>(
  context: Context,
  options: Options,
): Promise<Options> {
  const { config, ...others } = options;
  if (config === undefined || !(await isClientConfig(context, config))) return options;
  return asClientConfig(context, config, others as Options);
}

/** The options of a command that reads no policy: its `--config` is the old name of `--mcp-config`. */
export function withOldConfig<Options extends ConfigOptions>(context: Context, options: Options): Options {
  const { config, ...others } = options;
  return config === undefined ? options : asClientConfig(context, config, others as Options);
}

function asClientConfig<Options extends ConfigOptions>(context: Context, config: string, options: Options): Options {
  if (options.mcpConfig.length > 0) {
    throw new CliError("usage", `${config} is a client's configuration, and --mcp-config names another one`, {
      where: "--config",
      expected: "the configuration of agentprint",
    });
  }
  printNotices(context, [`--config names the configuration of agentprint now: give ${config} as --mcp-config`]);
  return { ...options, mcpConfig: [config] };
}

/** Whether a file has servers with launches, or is in a format that only clients use. */
async function isClientConfig(context: Context, file: string): Promise<boolean> {
  // Standard input can be read once only.
  if (file === "-") return false;
  // What reads the formats of all clients takes longer to load than a check without --config needs.
  const [{ entriesAt, membersWithServers }, { readClientConfig }] = await Promise.all([
    import("../clients/configured-servers.ts"),
    import("../clients/read-client-config.ts"),
  ]);
  try {
    const config = await readClientConfig(context, file, "any");
    return membersWithServers(config).some(
      (member) => member !== "servers" || entriesAt(config, [member]).some(({ value }) => !isOfPolicy(value)),
    );
  } catch (error) {
    if (error instanceof CliError) return false;
    throw error;
  }
}

function isOfPolicy(server: unknown): boolean {
  return isJsonObject(server as JsonValue) && Object.keys(server as object).every((name) => OF_POLICIES.has(name));
}
