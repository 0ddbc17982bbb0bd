export {
  createRegistryClient,
  type HearOptions,
  type Published,
  type PublishOptions,
  type ReadManifest,
  type RegistryClient,
  RegistryClientError,
  type RegistryClientErrorCode,
  type RegistryClientOptions,
  type RegistryEvent,
} from "@agentprint/registry-api";
