export { type FoundToken, findTokens } from "./find-tokens.ts";
export { isRedacted, REDACTED, redactLaunch } from "./redact-launch.ts";
export { isSecretName } from "./secret-names.ts";
export { type SuspectedSecret, type SuspicionReason, suspectedSecrets } from "./suspected-secrets.ts";
