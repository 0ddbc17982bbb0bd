export { decodePercent } from "../decode-percent.ts";
export { credentialsOfUrl, type KnownValue } from "./known-value.ts";
export { createSecretReplacer, type SecretReplacer, type SecretStream } from "./secret-replacer.ts";
