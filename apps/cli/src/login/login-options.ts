import type { Renewal, SecretPlace } from "@agentprint/mcp-auth";
import { type Command, Option } from "commander";
import { addLockOptions, type LockOptions } from "../options/lock-options.ts";
import { CliError } from "../run/errors.ts";
import { collect, wholeNumber } from "../terminal/option-parsers.ts";

/** The options of `agentprint login`. */
export interface LoginOptions extends LoginWishes, LockOptions {}

/** The options of a login, whatever names its server. */
export interface LoginWishes {
  readonly account?: string;
  readonly browser: boolean;
  readonly device?: boolean;
  readonly redirectPort?: number;
  readonly scope: readonly string[];
  readonly clientId?: string;
  readonly clientMetadata?: string;
  readonly clientSecretEnv?: string;
  readonly clientKey?: string;
  readonly credentials?: boolean;
  readonly tokenFile?: string;
  readonly tokenCommand?: string;
  readonly githubOidc?: string;
  readonly idp?: string;
  readonly idpClientId?: string;
  readonly idTokenFile?: string;
}

export function addLoginOptions(command: Command): Command {
  return addLockOptions(command)
    .argument("<server>", "the address of a server, or the name of a pinned one")
    .option("--account <name>", "your name for the account, where you use several of one server")
    .option("--no-browser", "print the address to open, and open nothing")
    .option("--device", "log in on another device, where the authorization server offers it")
    .addOption(
      new Option(
        "--redirect-port <port>",
        "port of http://127.0.0.1:<port>/callback, for servers that compare it",
      ).argParser(wholeNumber),
    )
    .option("--scope <scope>", "a scope to ask for beside those of the server; repeatable", collect, [])
    .option("--client-id <id>", "a client that is registered with the provider")
    .option("--client-metadata <url>", "the address of a Client ID Metadata Document")
    .option("--client-secret-env <NAME>", "the variable with the client's secret; its value is never written")
    .option("--client-key <file>", "the private key of the client (PEM), for private_key_jwt")
    .option("--credentials", "log the client in by its secret or key, without a person (client credentials)")
    .option("--token-file <file>", "a file with a token of the workload, which is exchanged for one of the server")
    .option(
      "--github-oidc <audience>",
      "in a job of GitHub: the job's own token, which is exchanged for one of the server",
    )
    .option("--idp <issuer>", "the enterprise's identity provider, which decides who may use the server")
    .option("--idp-client-id <id>", "the client of the identity provider that the ID token is for")
    .option("--id-token-file <file>", "a file with an ID token of the identity provider")
    .option("--token-command <command>", "a command that prints a token of the server; it runs at each visit");
}

/**
 * Returns how a login without a person is renewed; `undefined` for the login of a person.
 *
 * @throws {@link CliError} `usage` when the options contradict each other
 */
export function machineRenewal(options: LoginWishes): Renewal | undefined {
  const {
    credentials,
    tokenFile: file,
    tokenCommand: command,
    githubOidc: audience,
    idp,
    clientSecretEnv,
    clientKey,
    clientId,
  } = options;
  const ways = [
    credentials === true,
    file !== undefined,
    command !== undefined,
    audience !== undefined,
    idp !== undefined,
    options.device === true,
  ];
  if (ways.filter(Boolean).length > 1 || (clientSecretEnv !== undefined && clientKey !== undefined)) {
    throw new CliError("usage", "the options name more than one way to log in", {
      expected:
        "one of --device, --credentials, --token-file, --github-oidc, --idp and --token-command, and one of --client-secret-env and --client-key",
    });
  }
  if (command !== undefined) return { type: "command", command };
  if (file !== undefined) return { type: "token-file", file };
  if (audience !== undefined) return { type: "github-oidc", audience };
  const secret = placeOf(options);
  if (idp !== undefined) return enterpriseRenewal(idp, options, secret);
  if (credentials !== true) return undefined;
  if (secret !== undefined && clientId !== undefined) return { type: "client-credentials", secret };
  throw new CliError("usage", "client credentials are a client and its secret", {
    where: "--credentials",
    expected: "--client-id <id>, with --client-secret-env <NAME> or --client-key <file>",
  });
}

function placeOf({ clientKey, clientSecretEnv }: LoginWishes): SecretPlace | undefined {
  if (clientKey !== undefined) return { keyFile: clientKey };
  return clientSecretEnv === undefined ? undefined : { variable: clientSecretEnv };
}

function enterpriseRenewal(
  issuer: string,
  { idpClientId, idTokenFile: file, clientId }: LoginWishes,
  secret: SecretPlace | undefined,
): Renewal {
  if (URL.canParse(issuer) && idpClientId !== undefined && file !== undefined && clientId !== undefined) {
    return { type: "enterprise", provider: { issuer, clientId: idpClientId }, file, ...(secret && { secret }) };
  }
  throw new CliError(
    "usage",
    "a login by an identity provider needs its client, an ID token, and a client of the server",
    {
      where: "--idp",
      expected: "--idp <issuer> --idp-client-id <id> --id-token-file <file> --client-id <id>",
    },
  );
}
