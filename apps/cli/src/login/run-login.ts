import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { escapeText } from "@agentprint/canonical-json/text";
import {
  type AuthHttp,
  type ChallengedServer,
  type ClientSecret,
  createAuthHttp,
  endpointsOf,
  findAuthorization,
  type Login,
  loginPerson,
  newProofKey,
  obtainTokens,
  type RegisteredClient,
  type Renewal,
  reachOfServer,
  type SecretPlace,
  type SecretsPlace,
  secretsWith,
} from "@agentprint/mcp-auth";
import type { Context } from "../run/context.ts";
import { CliError } from "../run/errors.ts";
import { askLine, canAsk } from "../terminal/ask.ts";
import type { LoginWishes } from "./login-options.ts";
import { openLogins, requirePlace } from "./open-logins.ts";
import { readCredentials } from "./read-credentials.ts";

/** A login that was saved, and where its secrets are. */
export interface SavedLogin {
  readonly login: Login;
  readonly place: SecretsPlace;
}

/** Logs in to a server and saves the login. @throws AuthError and CliError with the code of what failed */
export async function runLogin(context: Context, server: string, options: LoginWishes): Promise<SavedLogin> {
  await requirePlace(context);
  const http = createAuthHttp(await reachOfServer(new URL(server)), context.signal);
  try {
    const found = await findAuthorization(http, new URL(server));
    const { login, secrets } = await tokensOf(context, http, found, server, options);
    const { accessToken, refreshToken, clientSecret, proofKey } = secrets;
    const values = {
      "the access token": accessToken,
      "the refresh token": refreshToken,
      "the client secret": clientSecret,
      "the key of the login": proofKey?.d,
    };
    context.hidden.hide(
      Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }])),
    );
    const store = await openLogins(context);
    return { login, place: await store.exclusive(() => store.save(login, secrets)) };
  } finally {
    await http.close();
  }
}

async function tokensOf(
  context: Context,
  http: AuthHttp,
  found: ChallengedServer,
  server: string,
  options: LoginWishes,
): Promise<{ login: Login; secrets: ReturnType<typeof secretsWith> }> {
  const { issuer, resource } = found;
  const named = { id: randomUUID(), ...(options.account !== undefined && { account: options.account }) };
  const endpoints = endpointsOf(found.metadata);
  const credentials = readCredentials(context);
  const renewal = machineRenewal(options);
  const scopes = [...new Set([...found.scopes, ...options.scope])];
  if (renewal !== undefined) {
    const place = "secret" in renewal ? renewal.secret : undefined;
    const method: RegisteredClient["method"] =
      place === undefined ? "none" : "keyFile" in place ? "private_key_jwt" : "client_secret_basic";
    const client = { kind: "pre-registered", id: options.clientId ?? "agentprint", method } as const;
    const login: Login = { ...named, server, issuer, resource, scopes, endpoints, client, renewal };
    const tokens = await obtainTokens(http, login, { proofKey: await newProofKey(found) }, credentials);
    const { expiresAt } = tokens;
    return {
      login: { ...login, scopes: tokens.scopes, ...(expiresAt !== undefined && { expiresAt }) },
      secrets: secretsWith(tokens, undefined),
    };
  }
  const { tokens, client } = await loginPerson({
    http,
    server: found,
    choice: {
      id: options.clientId,
      secret: await secretOf(options, credentials),
      metadataDocument: options.clientMetadata,
      ...(canAsk(context) && { ask: (name) => askLine(context, `The client to use at ${escapeText(name)}: `) }),
    },
    moreScopes: options.scope,
    redirectPort: options.redirectPort,
    browse: (address) => {
      context.stderr.write(`Open this address to log in:\n${escapeText(address)}\n`);
      if (options.browser && context.env["BROWSER"] !== "none") openBrowser(address);
    },
    ...(options.device && {
      showDevice: (address, code) => {
        context.stderr.write(`Open ${escapeText(address)} on any device, and type ${escapeText(code)}\n`);
      },
    }),
    signal: context.signal,
  });
  const { expiresAt } = tokens;
  const registered = client.secret !== undefined && "secret" in client.secret ? client.secret.secret : undefined;
  return {
    login: {
      ...named,
      server,
      issuer,
      resource,
      scopes: tokens.scopes,
      endpoints,
      client: client.client,
      renewal: { type: "refresh" },
      ...(expiresAt !== undefined && { expiresAt }),
    },
    secrets: secretsWith(tokens, registered),
  };
}

async function secretOf(
  { clientSecretEnv, clientKey }: LoginWishes,
  credentials: ReturnType<typeof readCredentials>,
): Promise<ClientSecret | undefined> {
  if (clientKey !== undefined) return { key: await credentials.file(clientKey) };
  return clientSecretEnv === undefined ? undefined : { secret: credentials.variable(clientSecretEnv) };
}

/** The program that opens an address on a platform, without a shell. Other platforms use the `xdg-open` of freedesktop.org. */
const OPENERS: Partial<Record<NodeJS.Platform, readonly [command: string, ...args: string[]]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/** Opens an address in the user's browser, if there is one. */
function openBrowser(address: string): void {
  const [command, ...args] = OPENERS[process.platform] ?? ["xdg-open"];
  const child = spawn(command, [...args, address], { stdio: "ignore", detached: true });
  // The address is printed as well.
  child.on("error", () => undefined).unref();
}

/**
 * Returns how a login without a person is renewed; `undefined` for the login of a person.
 *
 * @throws {@link CliError} `usage` when the options contradict each other
 */
function machineRenewal(options: LoginWishes): Renewal | undefined {
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
  throw new CliError("usage", "client credentials consist of a client id and its secret", {
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
