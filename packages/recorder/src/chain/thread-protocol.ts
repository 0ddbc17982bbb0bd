import type { MessagePort } from "node:worker_threads";
import { RecorderError, type RecorderErrorCode } from "../errors.ts";
import type { Chain, ChainEntry, ChainOptions } from "./chain.ts";

/** The message that begins a session in the writing thread. */
export interface ChainJob {
  readonly options: ChainOptions;
  /** The secret of the sealing key. */
  readonly secret: Uint8Array;
  /** The port for requests about this chain, and for their answers. */
  readonly port: MessagePort;
}

/** A method call on a chain; `open` is fulfilled when the chain is open. */
export interface Question {
  readonly number: number;
  readonly method: keyof Chain | "open";
  readonly argument: unknown;
}

/** The outcome of a call. */
export type Answer =
  | { readonly number: number; readonly value: unknown }
  | { readonly number: number; readonly error: ErrorText };

/** The form in which an error is sent to another thread if its class would be lost. */
export interface ErrorText {
  readonly name: string;
  readonly message: string;
  readonly code: string | undefined;
  readonly path: string | undefined;
}

export function describeError(error: unknown): ErrorText {
  const { name, message, code, path } = error as Partial<Record<keyof ErrorText, unknown>>;
  const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
  return { name: String(name), message: String(message), code: textOf(code), path: textOf(path) };
}

/** Returns the described error, with its class if it is from this package, or else with its name and code. */
export function toError({ name, message, code, path }: ErrorText): Error {
  if (name !== "RecorderError") return Object.assign(new Error(message), { name, code });
  return new RecorderError(code as RecorderErrorCode, message, path === undefined ? {} : { path });
}

/** The argument of `append`. */
export interface AppendArgument {
  readonly columns: EntryColumns;
  readonly isSpread: boolean;
}

/** Entries by column, so that the names of their members are sent to the other thread only once. */
export type EntryColumns = { readonly [Name in keyof ChainEntry]: readonly ChainEntry[Name][] };

export function toColumns(entries: readonly ChainEntry[]): EntryColumns {
  return {
    id: entries.map(({ id }) => id),
    type: entries.map(({ type }) => type),
    timestamp: entries.map(({ timestamp }) => timestamp),
    text: entries.map(({ text }) => text),
    isEvent: entries.map(({ isEvent }) => isEvent),
  };
}

export function fromColumns({ id, type, timestamp, text, isEvent }: EntryColumns): ChainEntry[] {
  return id.map(
    (own, index) =>
      ({
        id: own,
        type: type[index],
        timestamp: timestamp[index],
        text: text[index],
        isEvent: isEvent[index],
      }) as ChainEntry,
  );
}
