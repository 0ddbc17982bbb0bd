export { DEFAULT_LIMITS, DEFAULT_SETTLE, type Limits } from "@agentprint/mcp";
export type { Channel, ChannelEvents, LoggedLines } from "./channel/channel.ts";
export { MessageReader } from "./channel/message-reader.ts";
export { VisitError, type VisitErrorCode, type VisitErrorDetails } from "./errors.ts";
export { basicCredentials } from "./http/basic-credentials.ts";
export { type OpenSession, openSession, type SessionSettings } from "./open-session.ts";
export { inheritedEnvironment, type ServerEnd } from "./process/launch-process.ts";
export { type EndTimes, type RunningServer, startServer } from "./process/running-server.ts";
export { type NotRead, notReadContents } from "./reading/not-read.ts";
export {
  findSecretsInAnswers,
  type ServedKind,
  type ServedSecret,
} from "./secrets/find-secrets-in-answers.ts";
export { credentialsOfUrl, type KnownValue } from "./secrets/known-value.ts";
export { createSecretReplacer, type SecretReplacer, type SecretStream } from "./secrets/secret-replacer.ts";
export type { AnswerServer, ClientAnswer } from "./session/client-answers.ts";
export { CLIENT_PROFILES, type ClientProfile, DEFAULT_CLIENT } from "./session/client-profiles.ts";
export type { Survivor } from "./survivor.ts";
export type { HttpAuthorization, HttpTarget, StdioTarget, UnauthorizedRequest, VisitTarget } from "./target.ts";
export type { ChannelFactory, VisitOptions } from "./visit-options.ts";
export { visitServer } from "./visit-server.ts";
