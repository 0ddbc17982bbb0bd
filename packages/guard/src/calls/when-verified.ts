import { isJsonObject, type JsonObject } from "@agentprint/canonical-json/json-value";
import { idKey, type ListName, type RequestMessage } from "@agentprint/mcp";
import { withoutCapabilities } from "../link/client-capabilities.ts";
import type { Link, Waiting } from "../link/link.ts";
import type { Output } from "../link/output.ts";
import { clientMeta } from "../link/request-meta.ts";
import type { Listing } from "../verify/listing.ts";
import type { Waiter } from "../verify/shared-listings.ts";

/** The number of listings in a row that the server may call out of date before they end. */
const MAX_ATTEMPTS = 3;

/** A list that a request depends on. */
export interface Verified {
  readonly isVerified: boolean;
  /** Absent where the guard keeps no lists of the client. */
  readonly listing: Listing | undefined;
}

/** Continues a request at once where its list is verified, else after a listing by the guard. */
export function whenVerified(
  link: Link,
  list: ListName,
  waiting: Waiting,
  out: Output,
  goOn: (verified: Verified, out: Output) => void,
  attempt = 0,
): void {
  const { lists, settings, shared, held } = link;
  const { message, pending } = waiting;
  const listing = lists.of(link.keyOf(message, pending.presented))?.[list];
  const isFresh = listing?.isVerified(
    settings.clock.now(),
    attempt > 0 ? Number.POSITIVE_INFINITY : settings.recheckMs,
  );
  if (isFresh) {
    goOn({ isVerified: true, listing }, out);
    return;
  }
  // A dry run sends no request of its own.
  if (settings.dryRun || attempt >= MAX_ATTEMPTS) {
    goOn({ isVerified: false, listing }, out);
    return;
  }
  if (listing === undefined || held.size >= settings.limits.held) {
    const reason = listing ? "too many calls wait" : "calls of too many clients wait";
    link.report("call", message.method, [], "refused", reason, "client", pending);
    link.refuse(pending, reason, out);
    return;
  }
  const key = idKey(message.id);
  const waiter: Waiter = {
    connection: link,
    id: message.id,
    meta: metaFor(link, message),
    resume(isVerified, next) {
      if (!held.delete(key)) return;
      const resume = (): void => {
        if (isVerified) whenVerified(link, list, waiting, next, goOn, attempt + 1);
        else goOn({ isVerified: false, listing }, next);
      };
      link.orRefuse(waiting, next, resume, settings.failOpen);
    },
  };
  held.set(key, {
    ...message,
    refuse: (reason, next) => {
      held.delete(key);
      link.refuse(pending, reason, next);
    },
    stop: () => shared.forget(waiter),
  });
  out.action = "hold";
  shared.wait(listing, waiter, out);
}

/** Returns the metadata by which the server can tell the client, for a request of the guard. */
function metaFor({ lock }: Link, message: RequestMessage): JsonObject {
  const { params } = withoutCapabilities(message, lock.denied);
  return clientMeta({ params: isJsonObject(params) ? params : {} });
}
