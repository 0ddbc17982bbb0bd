export { createRegistryClient } from "./client.ts";
export type { ClientMemory, RegistryClientOptions } from "./connection.ts";
export { RegistryClientError, type RegistryClientErrorCode } from "./errors.ts";
export { readReached } from "./memory.ts";
export type {
  HearOptions,
  Published,
  PublishOptions,
  ReadManifest,
  RegistryClient,
  RegistryEvent,
  Waiting,
} from "./registry-client.ts";
