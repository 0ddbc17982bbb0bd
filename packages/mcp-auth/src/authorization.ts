import { type Challenge, readChallenge } from "./discovery/challenge.ts";
import { discover, endpointsOf } from "./discovery/discover.ts";
import { AuthError } from "./errors.ts";
import { scopesIn } from "./grants/tokens.ts";
import type { AuthHttp } from "./http/auth-http.ts";
import { quoted } from "./http/quoted.ts";
import { findAuthorization } from "./login.ts";
import { whereMoved } from "./moved.ts";
import { keepNonce, type ProofKey, type ProvenRequest, type Prover, provenHeaders, proverOf } from "./proof.ts";
import { type Credentials, goodSecrets, loginNeeded } from "./renew.ts";
import type { Login, StoredLogin } from "./store/login.ts";
import type { LoginStore } from "./store/login-store.ts";

/** The login that a server is reached with, without its secrets. */
export interface ServerLogin extends Pick<Login, "issuer" | "resource" | "endpoints"> {
  /**
   * The login's scopes and the scopes that the server requires, without `offline_access`, which concerns only renewal.
   */
  readonly scopes: readonly string[];
  readonly client: Login["client"]["kind"];
  readonly account?: string;
}

/** The settings of a {@link StoredAuthorization}. */
export interface AuthorizationSettings {
  readonly store: LoginStore;
  readonly http: AuthHttp;
  /** The address of the server. */
  readonly server: string;
  /** The account whose login is used, if there is more than one for the server. */
  readonly account?: string | undefined;
  /** The words after `agentprint login` that name the server and the account. Default: the address of the server. */
  readonly name?: string | undefined;
  readonly credentials: Credentials;
  /**
   * Receives the server's login metadata before a token is sent, and throws if no token may be sent.
   *
   * @throws {@link Error} with the reason
   */
  readonly accept?: ((login: ServerLogin) => void) | undefined;
  /**
   * The time in milliseconds after which the server's login metadata is requested again. Default: it is requested only
   * once.
   */
  readonly askAgainAfter?: number | undefined;
  /**
   * Logs a person in after a challenge, with scopes in addition to the challenge's, and saves the login. Returns
   * `false` if the person does not agree. Absent if there is no user to ask.
   */
  readonly logIn?: ((challenge: Challenge, moreScopes: readonly string[]) => Promise<boolean>) | undefined;
}

/** Authorizes the requests to a server with the stored login. */
export class StoredAuthorization {
  readonly #settings: AuthorizationSettings;
  #running: Promise<unknown> = Promise.resolve();
  #renewed: string | undefined;
  /** Whether a person has logged in through this object, and so has seen the provider. */
  #hasJustLoggedIn = false;
  #asked: { readonly at: number; readonly login: ServerLogin | undefined } | undefined;
  /** The id of the login that requests were sent with. */
  #used: string | undefined;
  #prover: Prover | undefined;

  constructor(settings: AuthorizationSettings) {
    this.#settings = settings;
  }

  /**
   * Returns the login that the server is reached with, or `undefined` if there is none. Requests the server's login
   * metadata without a token.
   *
   * @throws {@link AuthError} as {@link findAuthorization}; `auth-issuer` if the login has moved; whatever `accept`
   * throws
   */
  describe(): Promise<ServerLogin | undefined> {
    return this.#inTurn(() => this.#ask());
  }

  /**
   * Returns the headers for one request. If the login has a key, they include a proof for only this request.
   *
   * @throws {@link AuthError} as {@link describe} and {@link goodSecrets}; `auth-replaced` if earlier requests were
   * sent with another login, whose account may see different lists
   */
  headers(request: ProvenRequest): Promise<Readonly<Record<string, string>>> {
    const { store, http, server, account, credentials } = this.#settings;
    return this.#inTurn(async () => {
      if (!this.#hasJustLoggedIn && (await this.#ask()) === undefined) return {};
      const secrets = await goodSecrets(store, http, server, credentials, { account });
      if (secrets === undefined) return {};
      await this.#requireSameLogin();
      return provenHeaders(await this.#proverOf(secrets.proofKey), secrets.accessToken, request);
    });
  }

  /**
   * Handles a server's refusal of a request: renews the login, has a person log in, or stores the nonce that the server
   * wants in proofs. Returns whether the request is worth sending again; it is not if there is neither a login nor a
   * person.
   *
   * @throws {@link AuthError} `auth-required` or `auth-scope` if a person has to act and none is available
   */
  refused(response: Response, sent: Readonly<Record<string, string>>): Promise<boolean> {
    return this.#inTurn(async () => {
      const challenge = await readChallenge(response);
      const nonce = response.headers.get("dpop-nonce");
      if (challenge.error === "use_dpop_nonce" && nonce !== null && this.#prover !== undefined) {
        await keepNonce(this.#prover, { method: "GET", address: this.#settings.server }, nonce);
        return true;
      }
      const used = sent["authorization"]?.replace(/^\S+ /, "");
      if (response.status === 401) return this.#renew(challenge, used);
      return challenge.error === "insufficient_scope" ? this.#stepUp(challenge) : false;
    });
  }

  /** Returns the prover of a key. It keeps a server's nonces for as long as the login has the same key. */
  async #proverOf(key: ProofKey | undefined): Promise<Prover | undefined> {
    if (this.#prover?.key.d !== key?.d) this.#prover = await proverOf(key);
    return this.#prover;
  }

  /** Throws if someone has logged in to the server since the first request, unless through this object. */
  async #requireSameLogin(): Promise<void> {
    const id = (await this.#find())?.id;
    if (this.#used === undefined || this.#hasJustLoggedIn) this.#used = id;
    if (this.#used === id) return;
    throw new AuthError("auth-replaced", "another login has replaced the current one, so no token was sent", {
      where: this.#settings.server,
      fix: "run the command again, so that it uses the new login from its first request on",
    });
  }

  async #ask(): Promise<ServerLogin | undefined> {
    const { http, server, account, name, accept, logIn, askAgainAfter = Number.POSITIVE_INFINITY } = this.#settings;
    const now = performance.now();
    if (this.#asked?.login !== undefined && now - this.#asked.at < askAgainAfter) return this.#asked.login;
    const stored = await this.#find();
    if (stored === undefined) return undefined;
    const { issuer, resource, metadata, scopes } = await findAuthorization(http, new URL(server));
    const all = new Set([...stored.scopes, ...scopes].filter((scope) => scope !== "offline_access"));
    const endpoints = endpointsOf(metadata);
    const login = {
      issuer,
      resource,
      scopes: [...all].sort(),
      client: stored.client.kind,
      endpoints,
      ...(account !== undefined && { account }),
    };
    accept?.(login);
    const moved = whereMoved(stored, login, name);
    // A person can log in again after the challenge that the request without a token receives.
    if (moved !== undefined && logIn !== undefined) return undefined;
    if (moved !== undefined) throw moved;
    this.#asked = { at: now, login };
    return login;
  }

  async #renew(challenge: Challenge, used: string | undefined): Promise<boolean> {
    const { http, server, name, logIn } = this.#settings;
    const login = await this.#find();
    // The visit itself reports the server's answer, and how to log in.
    if (login === undefined && logIn === undefined) return false;
    const found = login && (await discover(http, new URL(server), challenge));
    const moved = found && whereMoved(login, { ...found, endpoints: endpointsOf(found.metadata) }, name);
    // If a token that was just renewed is refused, its age is not the reason.
    const renewable = moved === undefined && (used === undefined || used !== this.#renewed);
    this.#renewed = renewable ? await this.#renewedToken(used) : undefined;
    if (this.#renewed !== undefined) return true;
    if (await this.#logIn(challenge, moved === undefined ? (login?.scopes ?? []) : [])) return true;
    throw moved ?? loginNeeded(server, "the server rejects the login", name);
  }

  async #renewedToken(used: string | undefined): Promise<string | undefined> {
    const { store, http, server, account, credentials, logIn } = this.#settings;
    try {
      const secrets = await goodSecrets(store, http, server, credentials, { account, refused: used });
      return secrets?.accessToken;
    } catch (error) {
      if (logIn !== undefined && error instanceof AuthError && error.code === "auth-required") return undefined;
      throw error;
    }
  }

  async #logIn(challenge: Challenge, moreScopes: readonly string[]): Promise<boolean> {
    this.#hasJustLoggedIn = (await this.#settings.logIn?.(challenge, moreScopes)) === true;
    return this.#hasJustLoggedIn;
  }

  async #stepUp(challenge: Challenge): Promise<boolean> {
    const { server, name = server } = this.#settings;
    const asked = scopesIn(challenge.scope).map(quoted);
    const known = (await this.#find())?.scopes ?? [];
    const isNew = asked.some((scope) => !known.includes(scope));
    if (isNew && (await this.#logIn(challenge, known))) return true;
    const scopes = [...new Set([...known, ...asked])].filter((scope) => scope !== "offline_access");
    throw new AuthError("auth-scope", `the server requires scopes that the login does not have: ${asked.join(" ")}`, {
      where: server,
      scopes,
      fix: `log in with agentprint login ${name} ${scopes.map((scope) => `--scope ${scope}`).join(" ")}`.trim(),
    });
  }

  #find(): Promise<StoredLogin | undefined> {
    const { store, server, account } = this.#settings;
    return store.find(server, account);
  }

  /** Runs changes to the login one at a time, because both eras of a visit use it. */
  #inTurn<T>(run: () => Promise<T>): Promise<T> {
    const turn = this.#running.then(run, run);
    this.#running = turn.catch(() => undefined);
    return turn;
  }
}
