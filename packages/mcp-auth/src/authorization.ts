import { type Challenge, readChallenge } from "./discovery/challenge.ts";
import { discover } from "./discovery/discover.ts";
import { AuthError } from "./errors.ts";
import { scopesIn } from "./grants/tokens.ts";
import type { AuthHttp } from "./http/auth-http.ts";
import { quoted } from "./http/quoted.ts";
import { accessToken, type Credentials, loginNeeded } from "./renew.ts";
import type { LoginStore } from "./store/login-store.ts";

/** The settings of a {@link StoredAuthorization}. */
export interface AuthorizationSettings {
  readonly store: LoginStore;
  readonly http: AuthHttp;
  /** The address of the server. */
  readonly server: string;
  readonly credentials: Credentials;
  /**
   * Logs a person in after a challenge, with more scopes beside those of the challenge, and saves the login. Returns `false`
   * where the person does not agree. Absent where there is nobody to ask.
   */
  readonly logIn?: (challenge: Challenge, moreScopes: readonly string[]) => Promise<boolean>;
}

/** Authorizes the requests of a visit by the stored login for its server. */
export class StoredAuthorization {
  readonly #settings: AuthorizationSettings;
  #running: Promise<unknown> = Promise.resolve();
  #renewed: string | undefined;

  constructor(settings: AuthorizationSettings) {
    this.#settings = settings;
  }

  /** @throws {@link AuthError} as {@link accessToken} */
  async headers(): Promise<Readonly<Record<string, string>>> {
    const { store, http, server, credentials } = this.#settings;
    const token = await this.#inTurn(() => accessToken(store, http, server, credentials));
    return token === undefined ? {} : { authorization: `Bearer ${token}` };
  }

  /**
   * Renews the login, or has a person log in, after a server refused a request. Returns whether that has changed anything: not
   * where there is neither a login nor a person.
   *
   * @throws {@link AuthError} `auth-required`, `auth-scope` when a person has to act and there is none
   */
  refused(response: Response, sent: Readonly<Record<string, string>>): Promise<boolean> {
    return this.#inTurn(async () => {
      const challenge = await readChallenge(response);
      const used = sent["authorization"]?.replace(/^Bearer /, "");
      if (response.status === 401) return this.#renew(challenge, used);
      return challenge.error === "insufficient_scope" ? this.#stepUp(challenge) : false;
    });
  }

  async #renew(challenge: Challenge, used: string | undefined): Promise<boolean> {
    const { store, http, server, logIn } = this.#settings;
    const login = await store.find(server);
    // The visit itself says what the server answered, and how to log in.
    if (login === undefined && logIn === undefined) return false;
    const moved = login !== undefined && (await discover(http, new URL(server), challenge)).issuer !== login.issuer;
    // A login that was renewed a moment ago is not refused for its age.
    const renewable = !moved && (used === undefined || used !== this.#renewed);
    this.#renewed = renewable ? await this.#renewedToken(used) : undefined;
    if (this.#renewed !== undefined) return true;
    if ((await logIn?.(challenge, moved ? [] : (login?.scopes ?? []))) === true) return true;
    if (!moved) throw loginNeeded(server, "the server does not take the login");
    throw new AuthError("auth-issuer", "the server names another authorization server than at the login", {
      where: server,
      expected: quoted(login.issuer),
      fix: `find out why the login has moved, then log in again with agentprint login ${server}`,
    });
  }

  async #renewedToken(used: string | undefined): Promise<string | undefined> {
    const { store, http, server, credentials, logIn } = this.#settings;
    try {
      return await accessToken(store, http, server, credentials, used);
    } catch (error) {
      if (logIn !== undefined && error instanceof AuthError && error.code === "auth-required") return undefined;
      throw error;
    }
  }

  async #stepUp(challenge: Challenge): Promise<boolean> {
    const { store, server, logIn } = this.#settings;
    const scopes = scopesIn(challenge.scope).map(quoted);
    const known = await store.find(server);
    const asked = scopes.some((scope) => !known?.scopes.includes(scope));
    if (asked && (await logIn?.(challenge, known?.scopes ?? [])) === true) return true;
    throw new AuthError("auth-scope", `the server asks for scopes that the login does not have: ${scopes.join(" ")}`, {
      where: server,
      fix: `log in with agentprint login ${server} ${scopes.map((scope) => `--scope ${scope}`).join(" ")}`.trim(),
    });
  }

  /** Both eras of a visit use one login: what changes it runs once at a time. */
  #inTurn<T>(run: () => Promise<T>): Promise<T> {
    const turn = this.#running.then(run, run);
    this.#running = turn.catch(() => undefined);
    return turn;
  }
}
