import type { OpenCall } from "./open-call.ts";

/** Calls that have not ended, by key; calls with the same key are in the order in which they began. */
export class OpenCalls {
  readonly #calls = new Map<string, Set<OpenCall>>();

  add(key: string, call: OpenCall): void {
    const calls = this.#calls.get(key) ?? new Set();
    this.#calls.set(key, calls.add(call));
    call.onEnd(() => {
      calls.delete(call);
      if (calls.size === 0) this.#calls.delete(key);
    });
  }

  first(key: string): OpenCall | undefined {
    return this.#calls.get(key)?.values().next().value;
  }

  all(key: string): readonly OpenCall[] {
    return [...(this.#calls.get(key) ?? [])];
  }
}
