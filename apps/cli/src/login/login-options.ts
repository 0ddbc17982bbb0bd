import { type Command, Option } from "commander";
import { addLockOptions, type LockOptions } from "../options/lock-options.ts";
import { collect, wholeNumber } from "../terminal/option-parsers.ts";

/** The options of `agentprint login`. */
export interface LoginOptions extends LoginWishes, LockOptions {}

/** The options of a login, however its server is named. */
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
    .option("--account <name>", "your name for the account, if you use several on one server")
    .option("--no-browser", "print the address to open, and open nothing")
    .option("--device", "log in on another device, if the authorization server supports it")
    .addOption(
      new Option(
        "--redirect-port <port>",
        "port of http://127.0.0.1:<port>/callback, for servers that compare it",
      ).argParser(wholeNumber),
    )
    .option("--scope <scope>", "a scope to request in addition to the server's; repeatable", collect, [])
    .option("--client-id <id>", "a client that is registered with the provider")
    .option("--client-metadata <url>", "the address of a Client ID Metadata Document")
    .option("--client-secret-env <NAME>", "the variable with the client's secret; its value is never written")
    .option("--client-key <file>", "the private key of the client (PEM), for private_key_jwt")
    .option("--credentials", "log the client in by its secret or key, without a person (client credentials)")
    .option("--token-file <file>", "a file with a token of the workload, which is exchanged for one for the server")
    .option(
      "--github-oidc <audience>",
      "in a GitHub job: the job's own token, which is exchanged for one for the server",
    )
    .option("--idp <issuer>", "the enterprise's identity provider, which decides who may use the server")
    .option("--idp-client-id <id>", "the identity provider's client for which the ID token was issued")
    .option("--id-token-file <file>", "a file with an ID token of the identity provider")
    .option("--token-command <command>", "a command that prints a token for the server; it runs at each visit");
}
