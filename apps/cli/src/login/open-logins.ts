import { stat } from "node:fs/promises";
import { join } from "node:path";
import { AuthError, type Keyring, LoginStore, openKeyring, type SecretsPlace } from "@agentprint/mcp-auth";
import { readIfPresent } from "../files/planned-file.ts";
import { replaceFile } from "../files/replace-file.ts";
import { makePrivateFolder, stateFolder } from "../files/state-folder.ts";
import { withWriterMutex } from "../files/update-file.ts";
import type { Context } from "../run/context.ts";
import { type CliError, notInstalled } from "../run/errors.ts";

/** The number of attempts, every 50 to 200 milliseconds, while another agentprint renews a login. */
const ATTEMPTS = 600;

/** Returns the path of the file of logins. */
function loginsFile(context: Pick<Context, "env">): string {
  return join(stateFolder(context), "logins", "logins.json");
}

/** Opens the logins of the user. `AGENTPRINT_TOKEN_STORE=file` keeps their secrets out of the operating system's store. */
export async function openLogins(context: Pick<Context, "env" | "pathOf">): Promise<LoginStore> {
  const path = loginsFile(context);
  const folder = join(path, "..");
  const file = {
    path,
    read: async () => {
      await refuseReadable(path);
      return readIfPresent(context, path);
    },
    replace: (text: string) => replaceFile(context, path, text, 0o600),
    exclusive: async <T>(run: () => Promise<T>) => {
      await makePrivateFolder(folder);
      return withWriterMutex(path, path, run, ATTEMPTS);
    },
  };
  return new LoginStore(file, isFile(context) ? undefined : ((await openKeyring()) ?? MISSING));
}

const isFile = ({ env }: Pick<Context, "env">): boolean => env["AGENTPRINT_TOKEN_STORE"] === "file";

/**
 * Checks that there is a place for the secrets of a new login.
 *
 * @throws {@link CliError} `usage` if the library of the operating system's store is not installed, and nobody has
 * chosen the file
 */
export async function requirePlace(context: Pick<Context, "env">): Promise<void> {
  if (!isFile(context) && (await openKeyring()) === undefined) throw noKeyring();
}

function noKeyring(): CliError {
  return notInstalled("the library for the operating system's secret store", ["@napi-rs/keyring"], {
    instead: ", or keep logins in a file that only you can read: set AGENTPRINT_TOKEN_STORE=file",
  });
}

/**
 * The operating system's store if its library is not installed: logins in it are neither read nor removed, and a
 * renewed login that is in the file stays in the file.
 */
const MISSING: Keyring = {
  get: async () => {
    throw noKeyring();
  },
  set: async () => false,
  delete: async () => {
    throw noKeyring();
  },
};

/**
 * Refuses a file of logins that others can read, as ssh does with keys, because anyone who can read a login can use it.
 *
 * @throws {@link AuthError} `auth-store` when others can read the file
 */
async function refuseReadable(path: string): Promise<void> {
  // Windows has no modes: a folder of the user's profile is closed to other users.
  if (process.getuid === undefined) return;
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return;
  const isForeign = found.uid !== process.getuid() && found.uid !== 0;
  if (!isForeign && (found.mode & 0o077) === 0) return;
  throw new AuthError(
    "auth-store",
    isForeign ? "the file of logins belongs to another user" : "others can read the file of logins",
    {
      where: path,
      expected: "a file of yours that only you can read (mode 0600)",
      fix: `run chmod 600 ${path}, and log in again if someone may have read it`,
    },
  );
}

/** Returns where the secrets of a login are, in words. */
export function placeInWords(context: Pick<Context, "env">, place: SecretsPlace): string {
  return place === "keyring"
    ? "in the operating system's store"
    : `in ${loginsFile(context)}, which only you can read`;
}
