import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { readIfPresent } from "../files/planned-file.ts";
import { makePrivateFolder, stateFolder } from "../files/state-folder.ts";
import { updateFile } from "../files/update-file.ts";
import type { Context } from "../run/context.ts";
import { printNotices } from "../terminal/notices.ts";

/** The variable with the token that clients must present. */
export const TOKEN = "AGENTPRINT_GUARD_TOKEN";

/** The minimum number of characters of a token. */
const LENGTH = 32;

/**
 * Returns the token that clients of a guard with a login must present: from the variable, or from a file of this user,
 * which is created if it is missing. Without a token, every program and every page could use the login.
 */
export async function ownToken(context: Context): Promise<string> {
  const given = context.env[TOKEN];
  if (given) return given;
  const folder = join(stateFolder(context), "guard");
  const path = join(folder, "token");
  await makePrivateFolder(folder);
  let token = "";
  const made = async (): Promise<string | undefined> => {
    token = (await readIfPresent(context, path))?.trim() ?? "";
    if (token.length >= LENGTH) return undefined;
    token = randomBytes(LENGTH).toString("base64url");
    return `${token}\n`;
  };
  await updateFile(context, path, made, 0o600);
  context.hidden.hide([{ name: TOKEN, value: token }]);
  printNotices(context, [
    `clients present Authorization: Bearer <token>, with the token in ${path}, which only you can read`,
  ]);
  return token;
}
