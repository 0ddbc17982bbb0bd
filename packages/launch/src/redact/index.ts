export { type FoundToken, findTokens } from "./find-tokens.ts";
export { isRedacted, REDACTED, redactLaunch } from "./redact-launch.ts";
export { isSecretName } from "./secret-names.ts";
