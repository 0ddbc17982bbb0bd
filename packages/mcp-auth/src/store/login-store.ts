import { AuthError } from "../errors.ts";
import type { Keyring } from "./keyring.ts";
import { formatLogins, type Login, type LoginSecrets, parseLogins, parseSecrets, type StoredLogin } from "./login.ts";

/** The logins file, which only the user can read. */
export interface LoginFile {
  /** The path, for errors. */
  readonly path: string;
  /** Returns the text, or `undefined` if there is no file. */
  read(): Promise<string | undefined>;
  /** Replaces the complete file. */
  replace(text: string): Promise<void>;
  /** Runs a function while no other process runs such a function for this file. */
  exclusive<T>(run: () => Promise<T>): Promise<T>;
}

/** Where a login's secrets are stored. */
export type SecretsPlace = "keyring" | "file";

/** A user's logins, keyed by issuer and resource, one for each server address and account. */
export class LoginStore {
  readonly #file: LoginFile;
  readonly #keyring: Keyring | undefined;

  constructor(file: LoginFile, keyring: Keyring | undefined) {
    this.#file = file;
    this.#keyring = keyring;
  }

  /** Returns all logins. @throws {@link AuthError} `auth-store` if the file is not a logins file */
  async all(): Promise<readonly StoredLogin[]> {
    const text = await this.#file.read();
    if (text === undefined) return [];
    const logins = parseLogins(text);
    if (logins !== undefined) return logins;
    throw new AuthError("auth-store", "the logins file cannot be read", {
      where: this.#file.path,
      expected: "a file that agentprint login wrote",
      fix: "remove the file, and log in again",
    });
  }

  /** Returns the login for a server's address, and for the account if one is given. */
  async find(server: string, account?: string): Promise<StoredLogin | undefined> {
    return (await this.all()).find((login) => login.account === account && isSameServer(login.server, server));
  }

  /** Returns a login's secrets, or `undefined` if the operating system's secret store no longer has them. */
  async secretsOf(login: StoredLogin): Promise<LoginSecrets | undefined> {
    if (login.secrets !== undefined) return login.secrets;
    const text = await this.#keyring?.get(accountOf(login));
    return text === undefined ? undefined : parseSecrets(text);
  }

  /** Runs a function while no other process changes the logins. */
  exclusive<T>(run: () => Promise<T>): Promise<T> {
    return this.#file.exclusive(run);
  }

  /**
   * Saves a login, which replaces the one for the same server and account; call it within {@link exclusive}. Returns
   * where the login's secrets are stored.
   */
  async save(login: Login, secrets: LoginSecrets): Promise<SecretsPlace> {
    const others = await this.#without(login.server, login.account);
    const kept = (await this.#keyring?.set(accountOf(login), JSON.stringify(secrets))) === true;
    await this.#file.replace(formatLogins([...others, kept ? login : { ...login, secrets }]));
    return kept ? "keyring" : "file";
  }

  /** Removes the login to a server; call it within {@link exclusive}. */
  async remove(server: string, account?: string): Promise<void> {
    await this.#file.replace(formatLogins(await this.#without(server, account)));
  }

  /** Deletes a login's secrets, and returns the other logins. */
  async #without(server: string, account: string | undefined): Promise<readonly StoredLogin[]> {
    const logins = await this.all();
    const old = logins.filter((login) => login.account === account && isSameServer(login.server, server));
    for (const login of old) if (login.secrets === undefined) await this.#keyring?.delete(accountOf(login));
    return logins.filter((login) => !old.includes(login));
  }
}

function accountOf({ issuer, resource, server, account }: Login): string {
  return JSON.stringify([issuer, resource, keyOfServer(server), ...(account === undefined ? [] : [account])]);
}

/** Returns whether two addresses belong to the same server, so that requests to them are the same. */
export function isSameServer(one: string, other: string): boolean {
  return keyOfServer(one) === keyOfServer(other);
}

/** Returns a server's address without the parts that requests do not contain. */
function keyOfServer(server: string): string {
  const { origin, pathname, search } = new URL(server);
  return origin + pathname + search;
}
