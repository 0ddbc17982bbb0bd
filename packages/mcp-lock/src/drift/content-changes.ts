import { diffJson, isJsonObject, type JsonObject, type JsonValue, sha256Hex } from "@agentprint/canonical-json";
import { checkArgument } from "../check-argument.ts";
import type { LockedContent } from "../lock/lock.ts";
import type { ItemChange } from "./item-changes.ts";

/**
 * Returns the changes to a content, with pointers into its result. If one state has only the digest of its result, the
 * change is the complete result of the other state; if both have only digests, the change is from one digest to the
 * other.
 */
export function contentChanges(before: LockedContent, after: LockedContent): ItemChange[] {
  if (isUnkept(before) && isUnkept(after)) {
    return diffJson(before.definition, after.definition).map((change) => ({ ...change, unkept: "both" }));
  }
  const [old, now] = [readableResult(before), readableResult(after)];
  if (isUnkept(before)) return [{ pointer: "", ...(now && { after: now }), unkept: "before" }];
  if (isUnkept(after)) return [{ pointer: "", ...(old && { before: old }), unkept: "after" }];
  const changes = diffJson(old, now);
  // Different Base64 spellings of the same bytes have the same readable form.
  return changes.length > 0 ? changes : diffJson(before.result, after.result);
}

/**
 * Returns the name of a content with its result in readable form: bytes are shown as text if they are text, or else by
 * their type, size and digest. If the result is not known, returns the definition.
 */
export function readableContent(content: LockedContent): JsonObject {
  checkArgument("content", content, "object");
  checkArgument("content.definition", content.definition, "object");
  const { name = null } = content.definition;
  const result = readableResult(content);
  return result === undefined ? content.definition : { name, result };
}

/** Returns whether a result was read but only its digest is known. */
function isUnkept({ definition, result }: LockedContent): boolean {
  return result === undefined && definition["digest"] !== null;
}

function readableResult({ result }: LockedContent): JsonObject | undefined {
  return result && (readable(result) as JsonObject);
}

/**
 * The members that hold bytes as Base64: `blob` of a resource, and `data` of an image or audio content (MCP 2025-11-25,
 * `ContentBlock`).
 */
const [BLOB, DATA] = ["blob", "data"];
const WITH_DATA: readonly unknown[] = ["image", "audio"];

/**
 * Returns the value with its bytes in a form that a person can judge: as text if they are text, or else by their type,
 * size and digest.
 */
function readable(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(readable);
  if (!isJsonObject(value)) return value;
  const ofBytes = WITH_DATA.includes(value["type"]) ? DATA : BLOB;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === ofBytes && typeof member === "string" ? inWords(member, value["mimeType"]) : readable(member),
    ]),
  );
}

/**
 * Returns the text that a Base64 text encodes, or the type, size and digest of its bytes; returns any other text
 * unchanged.
 */
function inWords(base64: string, mimeType: JsonValue | undefined): string {
  const bytes = decodeBase64(base64);
  if (bytes === undefined) return base64;
  const type = typeof mimeType === "string" ? mimeType : "no stated type";
  return decodeText(bytes, type) ?? `${bytes.length} bytes of ${type}, SHA-256 ${sha256Hex(bytes)}`;
}

function decodeBase64(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** Types that clients read as text, even if some bytes are not valid UTF-8. */
const TEXT = /^text\/|\b(?:html|javascript|json|xml|yaml)\b/i;

function decodeText(bytes: Uint8Array, type: string): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: !TEXT.test(type), ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
