import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from "@agentprint/canonical-json";
import { ArtifactError } from "./errors.ts";

/** The maximum size of a file or answer that is read, in bytes. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Returns the text of a file, or `undefined` if there is no regular file at the path.
 *
 * @throws {@link ArtifactError} `unreadable` if it cannot be read, or is longer than 64 MiB
 */
export async function readText(path: string): Promise<string | undefined> {
  try {
    // A pipe must be opened without waiting for someone to write.
    const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const found = await file.stat();
      if (!found.isFile()) return undefined;
      if (found.size > MAX_BYTES) throw new Error(`it has more than ${MAX_BYTES} bytes`);
      return await file.readFile("utf8");
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR"))
      return undefined;
    throw unreadable(path, error);
  }
}

/**
 * Returns the JSON object in a file, or `undefined` if there is no such file.
 *
 * @throws {@link ArtifactError} `unreadable` if the text is not strict JSON, or not an object
 */
export async function readObject(path: string): Promise<JsonObject | undefined> {
  const text = await readText(path);
  return text === undefined ? undefined : objectIn(text, path);
}

/**
 * Parses a text that must be a JSON object.
 *
 * @param where The file or program that the text comes from, for error messages
 * @throws {@link ArtifactError} `unreadable` if the text is not strict JSON, or not an object
 */
export function objectIn(text: string, where: string): JsonObject {
  let value: JsonValue;
  try {
    value = parseJson(text, { maxBytes: MAX_BYTES });
  } catch (error) {
    throw unreadable(where, error);
  }
  if (isJsonObject(value)) return value;
  throw unreadable(where, new Error("it is not a JSON object"));
}

/** Returns a member of an object that is itself an object, or else an empty object. */
export function objectAt(value: JsonObject, name: string): JsonObject {
  const member = Object.hasOwn(value, name) ? value[name] : undefined;
  return isJsonObject(member) ? member : {};
}

/** Returns the objects in an object's array member; none if the member is not an array. */
export function objectsAt(value: JsonObject, name: string): JsonObject[] {
  const member = Object.hasOwn(value, name) ? value[name] : undefined;
  return Array.isArray(member) ? member.filter(isJsonObject) : [];
}

/** Returns the members of an object that are strings. */
export function textsIn(value: JsonObject): Record<string, string> {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]) => (typeof each === "string" ? [[name, each]] : [])),
  );
}

/** Returns an object's member if it is a string, or else `undefined`. */
export function textAt(value: JsonObject, name: string): string | undefined {
  const member = Object.hasOwn(value, name) ? value[name] : undefined;
  return typeof member === "string" ? member : undefined;
}

/** Returns the error for an invalid file or answer. */
export function unreadable(where: string, cause: unknown): ArtifactError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new ArtifactError("unreadable", `cannot read ${where}: ${reason}`, cause);
}
