// Loaded into a guard's process first: makes SHA-256 fail for the arguments of one call.
import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";

const { hash } = crypto;
crypto.hash = (algorithm, data, ...more) => {
  if (Buffer.from(data).toString() === '{"text":"fails"}') throw new TypeError("no digest");
  return hash(algorithm, data, ...more);
};
syncBuiltinESMExports();
