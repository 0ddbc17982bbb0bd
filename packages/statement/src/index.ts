export {
  ATTESTATION_TYPE,
  type Attestation,
  createAttestation,
  isAttested,
  type OpenedAttestation,
  openAttestation,
  signAttestation,
} from "./attestation.ts";
export { createStatement, type StatementParts } from "./create-statement.ts";
export {
  isBundle,
  MAX_STATEMENT_BYTES,
  type OpenedEnvelope,
  openEnvelope,
  PAYLOAD_TYPE,
  preAuthEncoding,
} from "./envelope.ts";
export { StatementError, type StatementErrorCode } from "./errors.ts";
export { extendHistory, followOwnKeys } from "./extend-history.ts";
export { statementFindings } from "./findings.ts";
export { forgottenKeys } from "./forgotten-keys.ts";
export { type FollowedKeys, followKeys, keyHistoryPlace, MAX_HISTORY_BYTES } from "./key-history.ts";
export type { KeyFacts } from "./key-ring.ts";
export {
  createKeyStatement,
  type KeyChange,
  type KeyRevocation,
  type KeyRotation,
  type KeyStatement,
  type KeyStatementParts,
  REVOCATION_TYPE,
  ROTATION_TYPE,
  readKeyStatement,
  signKeyStatement,
} from "./key-statement.ts";
export { createSigner, createVerifier, type StatementSigner, type StatementVerifier } from "./keys.ts";
export { openStatement, payloadOf, signStatement } from "./open-statement.ts";
export { addressPlace, STATEMENT_FILE } from "./places.ts";
export {
  type AuthorDemands,
  type AuthorFacts,
  type AuthorTexts,
  type NewKeys,
  noStatement,
  type ProvenAuthor,
  proveAuthor,
} from "./prove-author.ts";
export {
  lockedStatement,
  openByHistory,
  type ProvenStatement,
  type ProvingKeys,
  proveByHistory,
  proveEnvelope,
  proveOpened,
} from "./prove-envelope.ts";
export { acceptedOf, proveStatement, type StatementFacts, type StatementProblem } from "./prove-statement.ts";
export { readReference, type StatementReference, withReference } from "./registry-meta.ts";
export { STATEMENT_RULES, type StatementRuleId } from "./rules.ts";
export {
  type AcceptedStatement,
  type OpenedStatement,
  PREDICATE_TYPE,
  SET_HASH,
  STATEMENT_TYPE,
  type StatedDefinitions,
  type StatedItem,
  type StatedSet,
  type StatedVerdict,
  type Statement,
  type StatementPredicate,
  type Subject,
} from "./statement.ts";
