import { createMacKey, createSignatureVerifier, type EventVerifier } from "@agentprint/recorder/events";
import { createNoteSigner, createNoteVerifier, type NoteVerifier } from "@agentprint/trail/checkpoint";
import type { InputContext } from "../run/context.ts";
import { readText } from "./source.ts";

/**
 * Reads from a file the key whose seals are accepted: a secret in hex digits, or the public or the secret key of a
 * recorder.
 */
export async function readEventKey(context: InputContext, file: string): Promise<EventVerifier> {
  const text = (await readText(context, file)).trim();
  if (/^(?:[0-9a-f]{2})+$/i.test(text)) return createMacKey(Buffer.from(text, "hex"));
  const isSecret = text.startsWith("PRIVATE+KEY+");
  return createSignatureVerifier(
    isSecret ? (createNoteSigner(text).verifier as NoteVerifier) : createNoteVerifier(text),
  );
}
