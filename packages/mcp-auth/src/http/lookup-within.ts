import { type LookupAddress, type LookupOptions, lookup } from "node:dns";
import { AuthError } from "../errors.ts";
import { quoted } from "./quoted.ts";
import { mayName, type Reach, reachOf } from "./reach.ts";

type LookupDone = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

type Lookup = (hostname: string, options: LookupOptions, done: LookupDone) => void;

/** Returns a lookup function that refuses a host name if the server may not name one of its addresses. */
export function lookupWithin(server: Reach): Lookup {
  return (hostname: string, options: LookupOptions, done: LookupDone): void => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return done(error, []);
      const refused = found.find(({ address }) => !mayName(server, reachOf(address)));
      if (refused !== undefined) {
        const why = `${quoted(hostname)} is refused: a ${server} server names a ${reachOf(refused.address)} address`;
        return done(new AuthError("auth-address", why, { where: refused.address }), []);
      }
      const [first] = found;
      if (options.all === true || first === undefined) return done(null, found);
      return done(null, first.address, first.family);
    });
  };
}
