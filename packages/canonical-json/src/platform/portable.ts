export { createSha256, type Sha256Stream, sha256Hex } from "./sha256-portable.ts";
export { allocate, fromLatin1, fromUtf8, isUtf8, readUtf8, toUtf8, writeUtf8 } from "./utf8-portable.ts";
