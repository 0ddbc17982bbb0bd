export { type AuthorizationSettings, type ServerLogin, StoredAuthorization } from "./authorization.ts";
export {
  authenticationOf,
  type ClientChoice,
  type ClientMethod,
  type ClientSecret,
  type RegisteredClient,
  type UsableClient,
} from "./client.ts";
export { type Challenge, readChallenge } from "./discovery/challenge.ts";
export { discover, endpointsOf, type ProtectedServer, readIssuer } from "./discovery/discover.ts";
export { AuthError, type AuthErrorCode, type AuthErrorDetails } from "./errors.ts";
export {
  exchangeIdToken,
  grantByAssertion,
  grantByCredentials,
  grantByRefresh,
  type IdentityProvider,
  type MachineGrant,
} from "./grants/machine.ts";
export { scopesIn, type Tokens } from "./grants/tokens.ts";
export type { AnswerMemory } from "./http/answer-memory.ts";
export { type AuthHttp, type AuthRequest, createAuthHttp, reachOfServer } from "./http/auth-http.ts";
export { mayName, type Reach, reachOf } from "./http/reach.ts";
export { type ChallengedServer, findAuthorization, loginPerson, type PersonalLogin } from "./login.ts";
export { newProofKey, type ProofKey, type ProvenRequest } from "./proof.ts";
export { type Credentials, goodSecrets, loginNeeded, loginWith, obtainTokens, secretsWith } from "./renew.ts";
export { type Keyring, openKeyring } from "./store/keyring.ts";
export type { Login, LoginSecrets, Renewal, SecretPlace, StoredLogin } from "./store/login.ts";
export { isSameServer, type LoginFile, LoginStore, type SecretsPlace } from "./store/login-store.ts";
