import type { SpecFingerprint } from "./fingerprint-spec.ts";

const SPEC32 = /^[0-9a-f]{1,8}$/;
const SHA256 = /^[0-9a-f]{64}$/;

/** Whether what a storage or a file holds is a whole fingerprint; its warnings are not needed, and an old one has no version. */
export function isFingerprint(value: unknown): value is SpecFingerprint {
  if (!isObject(value)) return false;
  const { version = 1, spec32, sha256, fields } = value;
  const digests = isObject(fields) ? Object.values(fields) : [undefined];
  const isVersion = Number.isSafeInteger(version) && (version as number) >= 1;
  return isVersion && isHex(spec32, SPEC32) && [sha256, ...digests].every((digest) => isHex(digest, SHA256));
}

function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isHex(value: unknown, form: RegExp): boolean {
  return typeof value === "string" && form.test(value);
}
