// Loaded before a guard: a machine whose SHA-256 fails for the arguments of one call.
import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";

const { hash } = crypto;
crypto.hash = (algorithm, data, ...more) => {
  if (Buffer.from(data).toString() === '{"text":"fails"}') throw new TypeError("no digest");
  return hash(algorithm, data, ...more);
};
syncBuiltinESMExports();
