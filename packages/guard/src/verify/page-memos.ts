import type { JsonObject } from "@agentprint/canonical-json/json-value";
import type { JudgedPage } from "./judge-page.ts";

/** The decision on a page, and the page's text: the message without its id. */
export interface PageMemo {
  readonly said: string;
  readonly decided: Omit<JudgedPage, "result">;
  /**
   * The changed result for the client; absent if the server's result is unchanged, because that result is not stored.
   */
  readonly changed: JsonObject | undefined;
}

/** The limit on the length of all stored texts, in UTF-16 units. */
const MAX_UNITS = 32 * 1024 * 1024;

/**
 * Stores the decision on the first page of each list. Above the limit on the length of all texts, forgets the least
 * recently used decisions.
 */
export class PageMemos {
  readonly #memos = new Map<object, PageMemo>();
  #units = 0;

  get(list: object): PageMemo | undefined {
    const memo = this.#memos.get(list);
    if (memo === undefined) return undefined;
    this.#memos.delete(list);
    this.#memos.set(list, memo);
    return memo;
  }

  keep(list: object, memo: PageMemo): void {
    this.forget(list);
    this.#memos.set(list, memo);
    this.#units += memo.said.length;
    for (const [oldest] of this.#memos) {
      if (this.#units <= MAX_UNITS) return;
      this.forget(oldest);
    }
  }

  forget(list: object): void {
    this.#units -= this.#memos.get(list)?.said.length ?? 0;
    this.#memos.delete(list);
  }
}
