export { TrailError, type TrailErrorCode, type TrailErrorPlace } from "../errors.ts";
export { type AuthorFields, authorCanonicalPayload, computeAuthorCommitment } from "../record/digest.ts";
export { MerkleTree } from "./merkle.ts";
export { addSignature, type NoteSignature, type OpenNote, openNote, parseNote, signNote } from "./note.ts";
export {
  createCosigner,
  createNoteKeys,
  createNoteSigner,
  createNoteVerifier,
  type NoteKeys,
  type NoteSigner,
  type NoteVerifier,
} from "./note-keys.ts";
export { ProofTree } from "./proof-tree.ts";
export {
  type ConsistencyProof,
  createConsistencyProof,
  createInclusionProof,
  type HashSource,
  type InclusionProof,
  verifyConsistencyProof,
  verifyInclusionProof,
} from "./proofs.ts";
export {
  type Checkpoint,
  type CheckpointTrust,
  computeTreeHead,
  createCheckpoint,
  parseCheckpoint,
  type VerifiedCheckpoint,
  verifyCheckpoint,
} from "./signed-checkpoint.ts";
export {
  type CoveredRange,
  isHeadOfDropped,
  type RangeHead,
  type TreeHead,
  TreeHeadBuilder,
  type TreeHeadOptions,
} from "./tree-head.ts";
