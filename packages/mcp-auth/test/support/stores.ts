import { type Credentials, goodSecrets, type Keyring, LoginStore } from "../../src/index.ts";

/** Returns an in-memory store whose text a test can read. */
export function memoryStore(keyring?: Keyring): {
  store: LoginStore;
  text: () => string | undefined;
  write: (text: string) => void;
} {
  let text: string | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  const store = new LoginStore(
    {
      path: "logins.json",
      read: async () => text,
      replace: async (next) => {
        text = next;
      },
      exclusive: <T>(run: () => Promise<T>) => {
        const mine = turn.then(run, run);
        turn = mine.catch(() => undefined);
        return mine;
      },
    },
    keyring,
  );
  return {
    store,
    text: () => text,
    write: (next) => {
      text = next;
    },
  };
}

/** Returns an operating system's keyring that accepts secrets up to a given length. */
export function memoryKeyring(longest: number): Keyring & { readonly kept: Map<string, string> } {
  const kept = new Map<string, string>();
  return {
    kept,
    get: async (account) => kept.get(account),
    set: async (account, secret) => secret.length <= longest && kept.set(account, secret) === kept,
    delete: async (account) => void kept.delete(account),
  };
}

export const NO_CREDENTIALS: Credentials = {
  variable: () => {
    throw new Error("no variable is read");
  },
  file: () => Promise.reject(new Error("no file is read")),
  command: () => Promise.reject(new Error("no command runs")),
};

/** Returns the token of the next request to a server. */
export async function accessToken(...login: Parameters<typeof goodSecrets>): Promise<string | undefined> {
  return (await goodSecrets(...login))?.accessToken;
}
