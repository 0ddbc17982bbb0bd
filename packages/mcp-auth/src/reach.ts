export { lookupWithin } from "./http/lookup-within.ts";
export { isLoopback, literalAddress, mayName, type Reach, reachOf } from "./http/reach.ts";
