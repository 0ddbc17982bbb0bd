import type { SortedKeys } from "../accelerators/remembered-keys.ts";
import type { CanonicalJsonErrorCode } from "../errors.ts";
import type { PathSegment } from "../json-value/pointer.ts";
import type { ResolvedOptions } from "../key-order.ts";
import type { ByteBuffer } from "./byte-buffer.ts";

/** A JavaScript object or array whose members are read by key or index. */
export type Container = Readonly<Record<PathSegment, unknown>>;

/** Text that was written once, to be copied into other values. */
export interface WrittenPart {
  readonly text: string;
  /** How deep its arrays and objects are nested: 0 for a primitive. */
  readonly height: number;
  readonly options: ResolvedOptions;
}

/** Writes the parts of one value. In each call, `depth` is the number of arrays and objects around a place. */
export interface ValueWriter {
  readonly out: ByteBuffer;
  readonly options: ResolvedOptions;
  /** Writes a plain value at a depth. */
  value(value: unknown, depth: number): void;
  /** Opens an object: checks the depth, writes the brace and returns its keys in order. */
  enterObject(node: Container, depth: number): SortedKeys;
  /** Opens an array: checks the depth, writes the bracket and returns its length. */
  enterArray(node: readonly unknown[], depth: number): number;
  /** Reads one property, only once, as JSON sees it; `undefined` if JSON writes nothing. */
  member(node: Container, key: PathSegment, depth: number): unknown;
  /** Reads one array element; an element that JSON cannot write is `null` or, in the strict profile, an error. */
  element(node: readonly unknown[], index: number, depth: number): unknown;
  /** Writes the comma that is due, a key and its colon. */
  key(key: string, first: boolean): void;
  /** Rejects more levels of arrays and objects than the options allow. */
  addLevels(height: number): void;
  readonly reject: (code: CanonicalJsonErrorCode, message: string) => never;
}
