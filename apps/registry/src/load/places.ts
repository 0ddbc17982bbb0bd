import { RegistryError } from "../errors.ts";

/** The limits on concurrent use: in total, and for each owner, such as a key or an address. */
export interface PlaceLimits {
  readonly total: number;
  readonly own: number;
  /** The end of the error message "too many …", for example "streams are open". */
  readonly what: string;
  /** The number of seconds after which an owner with too many slots may retry. */
  readonly retrySeconds: number;
}

/**
 * Creates slots: `take` takes a slot for an owner and returns a function that releases it; calling the function again
 * does nothing.
 *
 * @throws {@link RegistryError} from `take`: `UNAVAILABLE` when all slots are taken, `RATE_LIMITED` when the owner has
 * too many.
 */
export function createPlaces({ total, own, what, retrySeconds }: PlaceLimits): (owner: string) => () => void {
  const taken = new Map<string, number>();
  let all = 0;
  return (owner) => {
    if (all >= total)
      throw new RegistryError("UNAVAILABLE", `too many ${what}; nothing was stored`, {
        headers: { "retry-after": "1" },
      });
    const before = taken.get(owner) ?? 0;
    if (before >= own) {
      const message = `too many ${what} from this address or with this key: at most ${own}`;
      throw new RegistryError("RATE_LIMITED", message, { headers: { "retry-after": String(retrySeconds) } });
    }
    all++;
    taken.set(owner, before + 1);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      all--;
      const left = (taken.get(owner) ?? 0) - 1;
      if (left > 0) taken.set(owner, left);
      else taken.delete(owner);
    };
  };
}
