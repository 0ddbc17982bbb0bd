/** The operating system's secret store. */
export interface Keyring {
  get(account: string): Promise<string | undefined>;
  /** Returns whether the store accepted the secret: the store may be locked or absent, or refuse a long secret. */
  set(account: string, secret: string): Promise<boolean>;
  delete(account: string): Promise<void>;
}

const SERVICE = "agentprint";

/**
 * Returns the operating system's secret store, or `undefined` if the store's library is not installed or cannot be
 * loaded.
 */
export async function openKeyring(): Promise<Keyring | undefined> {
  const library = await import("@napi-rs/keyring").catch(() => undefined);
  if (library === undefined) return undefined;
  const entry = (account: string) => new library.AsyncEntry(SERVICE, account);
  return {
    get: async (account) =>
      (await entry(account)
        .getPassword()
        .catch(() => undefined)) ?? undefined,
    set: async (account, secret) => {
      try {
        const own = entry(account);
        return secret === (await own.setPassword(secret).then(() => own.getPassword()));
      } catch {
        return false;
      }
    },
    delete: async (account) => {
      await entry(account)
        .deletePassword()
        .catch(() => undefined);
    },
  };
}
