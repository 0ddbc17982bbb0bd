import { isJsonObject, type JsonObject } from "@agentprint/canonical-json/json-value";
import { idKey, type ListName } from "@agentprint/mcp";
import { withoutCapabilities } from "../link/client-capabilities.ts";
import { clientMeta } from "../link/client-identity.ts";
import type { Request } from "../link/link.ts";
import { resume } from "../link/resume.ts";
import type { Listing } from "../verify/listing.ts";
import type { Waiter } from "../verify/shared-listings.ts";

/** The maximum number of successive listings that the server may declare outdated. */
const MAX_ATTEMPTS = 3;

const NO_META: JsonObject = Object.freeze({});

/** A list that a request depends on. */
export interface Verified {
  readonly isVerified: boolean;
  /** Absent if the guard keeps no lists for the client. */
  readonly listing: Listing | undefined;
}

/** A request that needs a list, and how it continues after a listing by the guard. */
interface Need {
  readonly exchange: Request;
  readonly list: ListName;
  readonly goOn: (verified: Verified) => void;
}

/**
 * Returns the list that a request depends on. If the list is not verified, returns `undefined`: the request waits for a
 * listing by the guard and then continues with `goOn`, or is refused.
 *
 * @param now The time of the request, or of a later step of it, in milliseconds.
 */
export function whenVerified(
  exchange: Request,
  list: ListName,
  goOn: Need["goOn"],
  now: number = exchange.pending.request?.since ?? exchange.link.settings.clock.now(),
): Verified | undefined {
  const listing = listOf(exchange, list);
  const { verifiedAt } = listing ?? {};
  const isFresh = verifiedAt !== undefined && now - verifiedAt < exchange.link.settings.recheckMs;
  return isFresh ? { isVerified: true, listing } : listed({ exchange, list, goOn }, listing, now, 0);
}

function listOf({ link, message, pending }: Request, list: ListName): Listing | undefined {
  return link.lists.of(link.identity.keyOf(message, pending.presented), list);
}

/** Makes a request wait for a listing by the guard. Returns the list immediately if it cannot be verified at all. */
function listed(need: Need, listing: Listing | undefined, now: number, attempt: number): Verified | undefined {
  const { exchange, goOn } = need;
  const { link, message, pending } = exchange;
  const { settings, shared, held } = link;
  // In a dry run, the guard sends no requests of its own.
  if (settings.dryRun || attempt >= MAX_ATTEMPTS) return { isVerified: false, listing };
  if (listing === undefined || held.size >= settings.limits.held) {
    const reason = listing ? "too many calls wait" : "calls from too many clients are waiting";
    exchange.report({ kind: "call", outcome: "refused", reason });
    exchange.refuse(reason);
    return undefined;
  }
  const key = idKey(message.id);
  const waiter: Waiter = {
    connection: link,
    id: message.id,
    meta: pending.meta === undefined ? NO_META : metaFor(exchange),
    resume(isVerified, out) {
      if (!held.delete(key)) return;
      resume(exchange, out, settings.failOpen, () => {
        const verified = isVerified ? again(need, attempt + 1) : { isVerified, listing };
        if (verified) goOn(verified);
      });
    },
  };
  held.set(key, {
    id: message.id,
    refuse: (reason, out) => {
      held.delete(key);
      link.refuse(pending, reason, out);
    },
    stop: () => shared.forget(waiter),
  });
  exchange.out.action = "hold";
  shared.wait(listing, waiter, now, exchange.out);
  return undefined;
}

/**
 * Returns the list from a listing by the guard, or requests the list again if the server announced a change in the
 * meantime. A list that had the same items in each of these listings is verified even if the server announces a change,
 * because it could also change without an announcement.
 */
function again(need: Need, attempt: number): Verified | undefined {
  const { exchange, list } = need;
  const listing = listOf(exchange, list);
  const isSteady = attempt >= MAX_ATTEMPTS && (listing?.sameReadings ?? 0) >= MAX_ATTEMPTS;
  if (listing?.verifiedAt !== undefined || isSteady) return { isVerified: true, listing };
  return listed(need, listing, exchange.link.settings.clock.now(), attempt);
}

/** Returns the metadata by which the server can identify the client, for one of the guard's requests. */
function metaFor({ link, message }: Request): JsonObject {
  const { params } = withoutCapabilities(message, link.lock.denied);
  return clientMeta({ params: isJsonObject(params) ? params : {} });
}
