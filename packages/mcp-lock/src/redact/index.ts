export { redactLaunch } from "./redact-launch.ts";
export { type FoundToken, findTokens } from "./find-tokens.ts";
export { isSecretName } from "./secret-names.ts";
