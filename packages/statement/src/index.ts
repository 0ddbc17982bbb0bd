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
export { MAX_STATEMENT_BYTES, type OpenedEnvelope, openEnvelope, PAYLOAD_TYPE, preAuthEncoding } from "./envelope.ts";
export { StatementError, type StatementErrorCode } from "./errors.ts";
export { statementFindings } from "./findings.ts";
export { createSigner, createVerifier, type StatementSigner, type StatementVerifier } from "./keys.ts";
export { openStatement, payloadOf, signStatement } from "./open-statement.ts";
export { isProvenPatch, lockedStatement, type ProvenStatement, proveEnvelope, proveOpened } from "./prove-envelope.ts";
export { acceptedOf, proveStatement, type StatementFacts, type StatementProblem } from "./prove-statement.ts";
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
