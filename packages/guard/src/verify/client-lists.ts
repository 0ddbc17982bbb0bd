import { LISTS, type ListKind, type ListName } from "@agentprint/mcp";
import type { Limits } from "../limits.ts";
import type { ClientKey } from "../link/client-identity.ts";
import { Listing } from "./listing.ts";
import { PageMemos } from "./page-memos.ts";

const KINDS: ReadonlyMap<ListName, ListKind> = new Map(LISTS.map((kind) => [kind.list, kind]));

type Lists = Map<ListName, Listing>;

/** A client's lists. */
interface Client {
  /** The server's process or session with which the client communicates. */
  readonly peer: string;
  /** The lists that the client has requested or relied on. */
  readonly lists: Lists;
}

/**
 * Keeps the verified lists of each of a server's clients. Above the limit, forgets the client that has been silent
 * longest, among those that wait for nothing.
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

  /** Returns a client's list; `undefined` if the limit is reached and every kept client is waiting. */
  of(key: ClientKey, list: ListName): Listing | undefined {
    const lists = this.#listsOf(key);
    const known = lists?.get(list);
    if (lists === undefined || known) return known;
    const listing = new Listing(KINDS.get(list) as ListKind, key, this.#limits, this.#memos);
    lists.set(list, listing);
    return listing;
  }

  /** Returns a client's list or, if {@link of} returns none, an empty list that is not kept. */
  oneOf(key: ClientKey, kind: ListKind): Listing {
    return this.of(key, kind.list) ?? new Listing(kind, key, this.#limits, this.#memos);
  }

  #listsOf({ peer, digest, era, view }: ClientKey): Lists | undefined {
    const text = `${era} ${view} ${digest}`;
    if (this.#last?.[0] === text) return this.#last[1];
    const known = this.#clients.get(text);
    if (known === undefined && this.#clients.size >= this.#limits.clients && !this.#forgetIdle()) return undefined;
    const client = known ?? { peer, lists: new Map() };
    this.#clients.delete(text);
    this.#clients.set(text, client);
    this.#last = [text, client.lists];
    return client.lists;
  }

  /** Marks lists as unverified for all clients, because the server announced a change to a list. */
  invalidate(method: string): void {
    for (const { lists } of this.#clients.values()) {
      for (const listing of lists.values()) if (listing.kind.changed.method === method) listing.invalidate();
    }
  }

  /** Forgets the verdicts with findings in every list. */
  forgetFound(): void {
    for (const { lists } of this.#clients.values()) for (const listing of lists.values()) listing.forgetFound();
  }

  /** Forgets the clients of a process or session that has ended. */
  leave(peer: string): void {
    for (const [text, client] of this.#clients) if (client.peer === peer) this.#forget(text, client);
  }

  clear(): void {
    for (const [text, client] of this.#clients) this.#forget(text, client);
  }

  #forgetIdle(): boolean {
    for (const [text, client] of this.#clients) {
      if ([...client.lists.values()].some(this.#isInUse)) continue;
      this.#forget(text, client);
      return true;
    }
    return false;
  }

  #forget(text: string, { lists }: Client): void {
    this.#clients.delete(text);
    if (this.#last?.[0] === text) this.#last = undefined;
    for (const listing of lists.values()) this.#memos.forget(listing);
  }
}
