import { type Era, LISTS, type ListKind, type ListName } from "@agentprint/mcp";
import type { Limits } from "../limits.ts";
import type { ClientKey } from "../link/client-identity.ts";
import { Listing } from "./listing.ts";
import { PageMemos } from "./page-memos.ts";

type Lists = Readonly<Record<ListName, Listing>>;

/** The lists of one client. */
interface Client {
  /** The process or session of the server that the client speaks with. */
  readonly peer: string;
  readonly lists: Lists;
}

/**
 * Keeps the verified lists of each client of a server. Above the limit, forgets the least recently heard client that
 * waits for nothing.
 */
export class ClientLists {
  readonly #limits: Limits;
  readonly #isInUse: (listing: Listing) => boolean;
  readonly #clients = new Map<string, Client>();
  readonly #memos = new PageMemos();
  /** The most recently used client. */
  #last: [text: string, lists: Lists] | undefined;

  constructor(limits: Limits, isInUse: (listing: Listing) => boolean) {
    this.#limits = limits;
    this.#isInUse = isInUse;
  }

  /** Returns the lists of a client; `undefined` where the limit is reached and every kept client waits. */
  of({ peer, digest, era }: ClientKey): Lists | undefined {
    const text = `${era} ${digest}`;
    if (this.#last?.[0] === text) return this.#last[1];
    const known = this.#clients.get(text);
    if (known === undefined && this.#clients.size >= this.#limits.clients && !this.#forgetIdle()) return undefined;
    const client = known ?? { peer, lists: this.#make(era) };
    this.#clients.delete(text);
    this.#clients.set(text, client);
    this.#last = [text, client.lists];
    return client.lists;
  }

  /** Returns a list of a client; an empty one, which is not kept, where {@link of} has none. */
  oneOf(key: ClientKey, kind: ListKind): Listing {
    return this.of(key)?.[kind.list] ?? new Listing(kind, key.era, this.#limits, this.#memos);
  }

  /** Marks lists as unverified for all clients, because the server announced a change to one of them. */
  invalidate(method: string): void {
    for (const { lists } of this.#clients.values()) {
      for (const { changed, list } of LISTS) if (changed.method === method) lists[list].invalidate();
    }
  }

  /** Forgets every list with findings. */
  forgetFound(): void {
    for (const { lists } of this.#clients.values()) for (const { list } of LISTS) lists[list].forgetFound();
  }

  /** Forgets the clients of a process or session that has ended. */
  leave(peer: string): void {
    for (const [text, client] of this.#clients) if (client.peer === peer) this.#forget(text, client);
  }

  clear(): void {
    for (const [text, client] of this.#clients) this.#forget(text, client);
  }

  #make(era: Era): Lists {
    const made = LISTS.map((kind): [ListName, Listing] => [
      kind.list,
      new Listing(kind, era, this.#limits, this.#memos),
    ]);
    return Object.fromEntries(made) as Record<ListName, Listing>;
  }

  #forgetIdle(): boolean {
    for (const [text, client] of this.#clients) {
      if (Object.values(client.lists).some(this.#isInUse)) continue;
      this.#forget(text, client);
      return true;
    }
    return false;
  }

  #forget(text: string, { lists }: Client): void {
    this.#clients.delete(text);
    if (this.#last?.[0] === text) this.#last = undefined;
    for (const listing of Object.values(lists)) this.#memos.forget(listing);
  }
}
