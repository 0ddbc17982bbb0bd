import { CanonicalJsonError, type CanonicalJsonErrorCode } from "../errors.ts";
import { type PathSegment, toPointer } from "../json-value/pointer.ts";
import { sortedKeys } from "../key-order.ts";
import { type CanonicalizeOptions, type ResolvedOptions, resolveOptions } from "../options.ts";
import type { SortedKeys } from "../sort-few.ts";
import { ByteBuffer, type Purpose } from "./byte-buffer.ts";
import { CanonicalPart, type WrittenPart } from "./canonical-part.ts";
import { writeDeep } from "./deep.ts";
import { arraysInherit, isInherited } from "./inherited-index.ts";
import { checkEmpty, toPlainValue } from "./plain-value.ts";

/** Plain recursion is twice as fast as a loop with a stack of its own, and safe to this depth. */
const RECURSION_LIMIT = 400;
/** Numbers handed to one native call; fewer than `FEW_NUMBERS` are faster one by one. */
const NUMBER_RUN = 1024;
const FEW_NUMBERS = 8;

/** A JavaScript object or array whose members are read by key or index. */
export type Container = Readonly<Record<PathSegment, unknown>>;

/** Writes one value as canonical JSON into its buffer. Every property is read once. */
export class Writer {
  readonly out: ByteBuffer = new ByteBuffer();
  /** Keys and indexes from the root to the place being read; the first `at` are valid. */
  private readonly path: PathSegment[] = [];
  private at = 0;
  /** The container at each depth, to tell where a cycle closes. */
  private readonly containers: (object | undefined)[] = [];
  private deepest = 0;
  /** Whether holes can read as values, which only the strict profile asks, when it comes to the first array. */
  private arraysInherit: boolean | undefined;
  private failure: CanonicalJsonError | undefined;
  private options: ResolvedOptions = resolveOptions(undefined);

  start(options: CanonicalizeOptions | undefined, purpose: Purpose): void {
    this.options = resolveOptions(options);
    this.out.start(purpose);
  }

  reset(): void {
    this.out.reset();
    this.at = 0;
    this.failure = undefined;
    this.arraysInherit = undefined;
    if (this.deepest > RECURSION_LIMIT) {
      this.path.length = 0;
      this.containers.length = 0;
    } else {
      for (let depth = 0; depth < this.deepest; depth++) this.containers[depth] = undefined;
    }
    this.deepest = 0;
  }

  /** Writes a whole value. Only `CanonicalJsonError` escapes: what a getter, proxy or `toJSON` throws is its cause. */
  root(value: unknown): void {
    try {
      const plain = this.plain(value, "");
      if (plain === undefined) this.reject("undefined", `a top-level ${typeof value} has no JSON form`);
      this.value(plain, 0);
    } catch (error) {
      if (error === this.failure) throw error;
      throw new CanonicalJsonError("unreadable", this.pointer(), `reading the value failed: ${reasonOf(error)}`, {
        cause: error,
      });
    }
  }

  /** What was written, to stand in other values. */
  toPart(): WrittenPart {
    return { text: this.out.toText(), depth: this.deepest, options: this.options };
  }

  /** Writes a plain value that lies at a depth. */
  value(value: unknown, depth: number): void {
    if (typeof value === "string") {
      this.string(value);
    } else if (typeof value === "number") {
      this.number(value);
    } else if (typeof value !== "object" || value === null) {
      this.out.literal(String(value));
    } else if (value instanceof CanonicalPart) {
      this.part(CanonicalPart.writtenOf(value), depth);
    } else if (depth >= RECURSION_LIMIT) {
      writeDeep(this, value as Container, depth);
    } else if (Array.isArray(value)) {
      this.array(value, depth);
    } else {
      this.object(value as Container, depth);
    }
  }

  private object(node: Container, depth: number): void {
    const { keys, encoded } = this.enterObject(node, depth);
    let first = true;
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i] as string;
      const value = this.read(node, key, depth);
      if (value === undefined) continue;
      if (encoded === undefined) this.key(key, first);
      else this.out.encodedKey(encoded, i, first);
      first = false;
      this.value(value, depth + 1);
    }
    this.out.byte(0x7d);
  }

  private part({ text, depth: height, options }: WrittenPart, depth: number): void {
    const { strict, keyOrder, maxDepth } = this.options;
    if (options.strict !== strict || options.keyOrder !== keyOrder) {
      this.reject("invalid-option", "a canonical part was written with another profile or key order");
    }
    if (depth + height > maxDepth) this.rejectDepth();
    this.deepest = Math.max(this.deepest, depth + height);
    this.out.longText(text);
  }

  private array(node: readonly unknown[], depth: number): void {
    const length = this.enterArray(node, depth);
    let i = 0;
    while (i < length) {
      if (i > 0) this.out.byte(0x2c);
      let value = this.element(node, i, depth);
      if (!Number.isFinite(value)) {
        this.value(value, depth + 1);
        i++;
        continue;
      }
      const run = [value as number];
      while (++i < length && run.length < NUMBER_RUN) {
        value = this.element(node, i, depth);
        if (!Number.isFinite(value)) break;
        run.push(value as number);
      }
      this.numbers(run);
      if (i < length && !Number.isFinite(value)) {
        this.out.byte(0x2c);
        this.value(value, depth + 1);
        i++;
      }
    }
    this.out.byte(0x5d);
  }

  private numbers(run: readonly number[]): void {
    if (run.length >= FEW_NUMBERS && !("toJSON" in run)) {
      this.out.text(JSON.stringify(run).slice(1, -1));
      return;
    }
    for (let i = 0; i < run.length; i++) {
      if (i > 0) this.out.byte(0x2c);
      this.out.number(run[i] as number);
    }
  }

  /** Opens an object: checks the depth, writes the brace and returns its keys in order. */
  enterObject(node: Container, depth: number): SortedKeys {
    this.enter(node, depth);
    const sorted = sortedKeys(node, this.options.keyOrder);
    if (sorted.keys.length === 0) checkEmpty(node, this.reject);
    this.out.byte(0x7b);
    return sorted;
  }

  /** Opens an array: checks the depth, writes the bracket and returns its length. */
  enterArray(node: readonly unknown[], depth: number): number {
    this.enter(node, depth);
    this.arraysInherit ??= this.options.strict && arraysInherit();
    this.out.byte(0x5b);
    return node.length;
  }

  private enter(node: object, depth: number): void {
    if (depth >= this.options.maxDepth) this.rejectDepth();
    this.containers[depth] = node;
    if (depth >= this.deepest) this.deepest = depth + 1;
  }

  /** Reads one property, once, as JSON sees it; `undefined` where JSON writes nothing. */
  read(node: Container, key: PathSegment, depth: number): unknown {
    this.path[depth] = key;
    this.at = depth + 1;
    const value = node[key];
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean" || value === null) {
      return value;
    }
    return this.plain(value, key);
  }

  /** Reads one array element; what JSON cannot write there is `null` or, in the strict profile, an error. */
  element(node: readonly unknown[], index: number, depth: number): unknown {
    const value = this.read(node as unknown as Container, index, depth);
    if (value !== undefined && !(this.arraysInherit && isInherited(node, index))) return value;
    if (this.options.strict) this.reject("undefined", "an array element is undefined or a hole; JSON would write null");
    return null;
  }

  /** Writes the comma that is due, a key and its colon. */
  key(key: string, first: boolean): void {
    if (!this.out.key(key, first, this.options.strict)) this.rejectSurrogate();
  }

  private string(text: string): void {
    if (!this.out.string(text, this.options.strict)) this.rejectSurrogate();
  }

  private rejectSurrogate(): never {
    return this.reject("lone-surrogate", "a string has a surrogate without its pair, which UTF-8 cannot carry");
  }

  private number(value: number): void {
    if (Number.isFinite(value)) this.out.number(value);
    else if (this.options.strict) this.reject("non-finite", `${value} has no JSON form`);
    else this.out.literal("null");
  }

  private plain(value: unknown, key: PathSegment): unknown {
    return toPlainValue(value, key, this.options.strict, this.reject);
  }

  private rejectDepth(): never {
    return this.reject("too-deep", `nesting exceeds the limit of ${this.options.maxDepth}`);
  }

  /** Rejects the container that was just reached because it is its own ancestor. */
  rejectCycle(): never {
    const seen = new Set<object | undefined>();
    this.at = this.containers.findIndex((node) => seen.size === seen.add(node).size);
    return this.reject("cycle", "the value contains itself");
  }

  private readonly reject = (code: CanonicalJsonErrorCode, message: string): never => {
    this.failure = new CanonicalJsonError(code, this.pointer(), message);
    throw this.failure;
  };

  private pointer(): string {
    return toPointer(this.path.slice(0, this.at));
  }
}

/** What was thrown can be anything, and throw itself when it is looked at. */
function reasonOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error);
  } catch {
    return "what was thrown cannot be shown";
  }
}
