import { createSha256, sha256Hex } from "#sha256";
import { CanonicalJsonError } from "./errors.ts";
import { type PathSegment, toPointer } from "./pointer.ts";

void createSha256;
export interface CanonicalizeOptions {
  readonly profile?: "rfc8785" | "ecmascript";
  readonly keyOrder?: "code-unit" | "locale";
  readonly maxDepth?: number;
}

const OPAQUE =
  /^\[object (Map|Set|WeakMap|WeakSet|RegExp|Error|Promise|ArrayBuffer|SharedArrayBuffer|DataView|(Big)?(Ui|I)nt\d+(Clamped)?Array|Float\d+Array)\]$/;
const collator = new Intl.Collator("en");

// Placeholder implementation, replaced by the byte writer.
export function canonicalize(value: unknown, options: CanonicalizeOptions = {}): string {
  const strict = (options.profile ?? "rfc8785") === "rfc8785";
  const path: PathSegment[] = [];
  const active = new Set<object>();
  const fail = (code: ConstructorParameters<typeof CanonicalJsonError>[0], message: string): never => {
    throw new CanonicalJsonError(code, toPointer(path), message);
  };
  const str = (s: string): string => {
    if (strict && !s.isWellFormed()) fail("lone-surrogate", "lone surrogate");
    return JSON.stringify(s);
  };
  const go = (holder: unknown, key: string): string | undefined => {
    let v = holder as { toJSON?: (key: string) => unknown } & Record<string, unknown> & unknown[];
    if ((typeof v === "object" && v !== null) || typeof v === "bigint") {
      if (typeof v.toJSON === "function") v = v.toJSON(key) as unknown as typeof v;
    }
    if (v instanceof Number || v instanceof String || v instanceof Boolean) v = v.valueOf() as unknown as typeof v;
    if (v === null) return "null";
    switch (typeof v) {
      case "string":
        return str(v);
      case "boolean":
        return String(v);
      case "number":
        if (!Number.isFinite(v)) return strict ? fail("non-finite", `${v} is not JSON`) : "null";
        return String(v === 0 ? 0 : v);
      case "bigint":
        return fail("bigint", "BigInt has no JSON form");
      case "function":
      case "symbol":
        return strict ? fail(typeof v as "function", `${typeof v} has no JSON form`) : undefined;
      case "undefined":
        return undefined;
    }
    if (active.has(v)) fail("cycle", "circular structure");
    if (OPAQUE.test(Object.prototype.toString.call(v))) fail("opaque-object", "content invisible to JSON");
    active.add(v);
    let out: string;
    if (Array.isArray(v)) {
      const items: string[] = [];
      for (let i = 0; i < v.length; i++) {
        path.push(i);
        const item = go(v[i], String(i));
        if (item === undefined && strict) fail("undefined", "undefined in array");
        items.push(item ?? "null");
        path.pop();
      }
      out = `[${items.join(",")}]`;
    } else {
      let keys = Object.keys(v);
      if (options.keyOrder === "locale") {
        const isIndex = (k: string) => String(Number(k) >>> 0) === k && Number(k) < 2 ** 32 - 1;
        keys = [
          ...keys.filter(isIndex).sort((a, b) => Number(a) - Number(b)),
          ...keys.filter((k) => !isIndex(k)).sort(collator.compare),
        ];
      } else keys.sort();
      const members: string[] = [];
      for (const k of keys) {
        path.push(k);
        const item = go(v[k], k);
        if (item !== undefined) members.push(`${str(k)}:${item}`);
        path.pop();
      }
      out = `{${members.join(",")}}`;
    }
    active.delete(v);
    return out;
  };
  const out = go(value, "");
  if (out === undefined) return fail("undefined", `top-level ${typeof value} has no JSON form`);
  return out;
}

export function canonicalizeToBytes(value: unknown, options?: CanonicalizeOptions): Uint8Array {
  return new TextEncoder().encode(canonicalize(value, options));
}

export function hashCanonical(value: unknown, options?: CanonicalizeOptions): string {
  return sha256Hex(canonicalize(value, options));
}
