import type { ClientSecret, UsableClient } from "./client.ts";
import { endpointsOf, readIssuer } from "./discovery/discover.ts";
import { AuthError } from "./errors.ts";
import { assertionOf } from "./grants/enterprise.ts";
import { githubToken } from "./grants/github-oidc.ts";
import { grantByAssertion, grantByCredentials, grantByRefresh, type MachineGrant } from "./grants/machine.ts";
import type { Tokens } from "./grants/tokens.ts";
import type { AuthHttp } from "./http/auth-http.ts";
import { RENEW_BEFORE } from "./limits.ts";
import { whereMoved } from "./moved.ts";
import { proverOf } from "./proof.ts";
import type { Login, LoginSecrets, SecretPlace, StoredLogin } from "./store/login.ts";
import type { LoginStore } from "./store/login-store.ts";

/**
 * Functions that read the credentials that a login names. Each one throws {@link AuthError} `auth-credential` if the
 * credential does not exist.
 */
export interface Credentials {
  variable(name: string): string;
  file(path: string): Promise<string>;
  /** Runs a command and returns its output without surrounding whitespace. */
  command(command: string): Promise<string>;
}

/**
 * Obtains and returns the tokens of a login that does not, or no longer does, require a person. @throws {@link
 * AuthError}
 */
export async function obtainTokens(
  http: AuthHttp,
  login: Login,
  secrets: Partial<LoginSecrets>,
  credentials: Credentials,
): Promise<Tokens> {
  const { renewal, scopes, resource, issuer } = login;
  if (renewal.type === "command") return { accessToken: await credentials.command(renewal.command), scopes };
  const metadata = await readIssuer(http, issuer);
  const moved = whereMoved(login, { issuer: metadata.issuer, endpoints: endpointsOf(metadata) });
  if (moved !== undefined) throw moved;
  const registered = secrets.clientSecret === undefined ? undefined : { secret: secrets.clientSecret };
  const place = "secret" in renewal ? renewal.secret : undefined;
  const secret = place === undefined ? registered : await secretAt(place, credentials);
  const client: UsableClient = { client: login.client, secret };
  const grant: MachineGrant = {
    http,
    server: { metadata, resource },
    client,
    scopes,
    prover: await proverOf(secrets.proofKey),
  };
  if (renewal.type === "client-credentials") return grantByCredentials(grant);
  if (renewal.type === "token-file") return grantByAssertion(grant, await credentials.file(renewal.file));
  if (renewal.type === "enterprise") {
    const idToken = await credentials.file(renewal.file);
    return grantByAssertion(grant, await assertionOf(renewal.provider, idToken, { issuer, resource }));
  }
  if (renewal.type === "github-oidc") {
    return grantByAssertion(grant, await githubToken(http, credentials.variable, renewal.audience));
  }
  if (secrets.refreshToken !== undefined) return grantByRefresh(grant, secrets.refreshToken);
  throw loginNeeded(
    login.server,
    "the login has expired, and the authorization server issued nothing to renew it with",
  );
}

async function secretAt(place: SecretPlace, credentials: Credentials): Promise<ClientSecret> {
  return "variable" in place
    ? { secret: credentials.variable(place.variable) }
    : { key: await credentials.file(place.keyFile) };
}

/** The login whose token is needed, and why it is needed. */
interface WantedToken {
  readonly account?: string | undefined;
  /** An access token that the server no longer accepts. */
  readonly refused?: string | undefined;
}

/**
 * Returns the error that asks the user to log in.
 *
 * @param name The server, as `agentprint login` names it
 */
export function loginNeeded(server: string, why: string, name: string = server): AuthError {
  return new AuthError("auth-required", why, {
    where: server,
    expected: "a login",
    fix: `log in with agentprint login ${name}`,
  });
}

/**
 * Returns the secrets of the login to a server, with an access token that is currently valid; `undefined` if there is
 * no login. An expired token is renewed, by only one process at a time.
 *
 * @throws {@link AuthError} `auth-required` if a person has to log in again, and as {@link obtainTokens}
 */
export async function goodSecrets(
  store: LoginStore,
  http: AuthHttp,
  server: string,
  credentials: Credentials,
  { account, refused }: WantedToken = {},
): Promise<LoginSecrets | undefined> {
  const good = (login: StoredLogin, secrets: LoginSecrets | undefined): LoginSecrets | undefined => {
    const fresh = login.expiresAt === undefined || login.expiresAt > Date.now() + RENEW_BEFORE;
    return fresh && secrets !== undefined && secrets.accessToken !== refused ? secrets : undefined;
  };
  const login = await store.find(server, account);
  if (login === undefined) return undefined;
  const stored = good(login, await store.secretsOf(login));
  if (stored !== undefined) return stored;
  return store.exclusive(async () => {
    const current = await store.find(server, account);
    if (current === undefined) return undefined;
    const secrets = await store.secretsOf(current);
    const renewedByOther = good(current, secrets);
    if (renewedByOther !== undefined) return renewedByOther;
    const tokens = await obtainTokens(http, current, secrets ?? {}, credentials).catch((error: unknown) => {
      const ended = error instanceof AuthError && error.code === "auth-denied" && current.renewal.type === "refresh";
      throw ended ? loginNeeded(server, `the login has ended: ${error.message}`) : error;
    });
    const renewed = secretsWith(tokens, secrets?.clientSecret);
    await store.save(loginWith(current, tokens), renewed);
    return renewed;
  });
}

/** Returns a login with the scopes and the expiry time of new tokens. */
export function loginWith({ secrets: _, expiresAt: __, ...login }: StoredLogin, { scopes, expiresAt }: Tokens): Login {
  return { ...login, scopes, ...(expiresAt !== undefined && { expiresAt }) };
}

/** Returns the secrets to store, with new tokens. */
export function secretsWith(
  { accessToken, refreshToken, proofKey }: Tokens,
  clientSecret: string | undefined,
): LoginSecrets {
  return {
    accessToken,
    ...(refreshToken !== undefined && { refreshToken }),
    ...(clientSecret !== undefined && { clientSecret }),
    ...(proofKey !== undefined && { proofKey }),
  };
}
