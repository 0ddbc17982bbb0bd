import { join } from "node:path";
import { LoginStore, openKeyring, type SecretsPlace } from "@agentprint/mcp-auth";
import { readIfPresent } from "../files/planned-file.ts";
import { makePrivateFolder } from "../files/private-folder.ts";
import { replaceFile } from "../files/replace-file.ts";
import { stateFolder } from "../files/state-folder.ts";
import { withWriterMutex } from "../files/writer-mutex.ts";
import type { Context } from "../run/context.ts";

/** How often another agentprint that renews a login is waited for, every 50 to 200 milliseconds. */
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
    read: () => readIfPresent(context, path),
    replace: (text: string) => replaceFile(context, path, text, 0o600),
    exclusive: async <T>(run: () => Promise<T>) => {
      await makePrivateFolder(folder);
      return withWriterMutex(path, path, run, ATTEMPTS);
    },
  };
  return new LoginStore(file, context.env["AGENTPRINT_TOKEN_STORE"] === "file" ? undefined : await openKeyring());
}

/** Returns where the secrets of a login are, in words. */
export function placeInWords(context: Pick<Context, "env">, place: SecretsPlace): string {
  return place === "keyring"
    ? "in the store of the operating system"
    : `in ${loginsFile(context)}, which only you can read`;
}
