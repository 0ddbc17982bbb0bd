import { createNoteVerifier, openNote } from "@agentprint/trail/checkpoint";
import { SignerSchema } from "./answers/answer-schemas.ts";
import type { Connection } from "./connection.ts";
import { checked } from "./names.ts";
import { send } from "./request.ts";

/**
 * Returns a registry's public keys, from `verifierKey` back to the first. Each key and its successor signed the same
 * note.
 */
export async function readSignerKeys(connection: Connection, verifierKey: string): Promise<ReadonlySet<string>> {
  const { successions } = checked(SignerSchema, await send(connection, { method: "GET", path: "signer" }));
  const name = verifierKey.split("+")[0] ?? "";
  const keys = new Set([verifierKey]);
  for (const key of keys) {
    for (const note of successions) {
      const [title, , from = "", to] = note.split("\n");
      if (title === `${name}/signer` && to === key && isSignedBy(note, key) && isSignedBy(note, from)) keys.add(from);
    }
  }
  return keys;
}

function isSignedBy(note: string, key: string): boolean {
  try {
    openNote(note, [createNoteVerifier(key)]);
    return true;
  } catch {
    return false;
  }
}
