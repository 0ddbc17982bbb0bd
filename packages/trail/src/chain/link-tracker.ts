import type { KnownHash, RecordIndex } from "../engine/record-index.ts";
import { quote } from "../errors.ts";
import { ownText, type ThoughtRecord, ZERO_HASH } from "../record/record.ts";
import type { ProblemDraft, ReportProblem } from "./problem-log.ts";

/** The last valid record of the chain so far and its state. */
interface Head {
  /** `null` before the first record. */
  readonly hash: string | null;
  /** The entry of its hash in the index. */
  readonly entry: number;
  readonly anchored: boolean;
  /** Whether no record follows its hash yet. The index is updated when another record becomes the head. */
  readonly leaf: boolean;
  /** Present if the hash does not match the record's content. */
  readonly altered?: { readonly computed: string; readonly problem: ProblemDraft | undefined };
}

/** A broken link, and the entry of the record that has it. */
interface BrokenLink {
  readonly problem: ProblemDraft;
  readonly entry: number;
}

const NO_HEAD: Head = { hash: null, entry: -1, anchored: false, leaf: true };

/**
 * Finds out which record each record follows, and whether intact links connect it to the genesis record. For linking, a
 * record is identified by its hash alone; records with the same hash count once.
 */
export class LinkTracker {
  readonly #index: RecordIndex;
  // Broken links by the hash that they name. If a record with this hash comes later, records were reordered.
  readonly #brokenLinks = new Map<string, BrokenLink>();
  #head = NO_HEAD;
  #genesisIndex = -1;
  // Whether a value that is not a record follows the head, in which case the next record's predecessor is unknown.
  #previousUnreadable = false;

  readonly #isLost: () => boolean;

  /** @param isLost - Returns whether the predecessor of the next record may be in a line that could not be read. */
  constructor(index: RecordIndex, isLost: () => boolean) {
    this.#index = index;
    this.#isLost = isLost;
  }

  /** Hash of the last record of the chain; `null` if there is none. */
  get head(): string | null {
    return this.#head.hash;
  }

  /** Begins after a dropped record at `index`, which intact links connect to the genesis record. */
  beginBehind(hash: string, index: number): void {
    this.#genesisIndex = 0;
    const { entry } = this.#index.getOrInsertHash(hash, index, true);
    this.#setHead({ hash, entry, anchored: true, leaf: true });
  }

  /** Releases the text from which the records were read. */
  releaseText(): void {
    const { hash } = this.#head;
    if (hash !== null) this.#head = { ...this.#head, hash: ownText(hash) };
  }

  /** Enters a record that follows the head of a chain without problems, and so is anchored. */
  appendAnchored({ id, hash }: ThoughtRecord, index: number, position: number | undefined): void {
    this.#setHead({ hash, entry: this.#index.append(id, hash, index, position), anchored: true, leaf: true });
  }

  /** Enters any intact record and returns whether it is anchored. */
  append(record: ThoughtRecord, index: number, report: ReportProblem): boolean {
    let missing: ProblemDraft | undefined;
    const anchored = this.#link(record, index, (problem) => {
      const reported = report(problem);
      if (problem.kind === "broken-link") missing = reported;
      return reported;
    });
    this.#setHead(this.#enter(record.hash, index, anchored));
    if (missing) this.#brokenLinks.set(record.prev_hash, { problem: missing, entry: this.#head.entry });
    this.#explainBrokenLink(record.hash, index);
    return anchored;
  }

  /** Enters a record whose hash does not match its content; `computed` is the hash of the content. */
  appendAltered(record: ThoughtRecord, computed: string, index: number, problem: ProblemDraft | undefined): void {
    const { hash, anchored } = this.#head;
    const followsHead = record.prev_hash === (hash ?? ZERO_HASH);
    if (hash === null) this.#genesisIndex = index;
    else if (!followsHead) this.#saveHead();
    const intact = this.#index.getOrInsertHash(computed, index, followsHead && (hash === null || anchored));
    const head = this.#enter(record.hash, index, false);
    // If both hashes begin alike, they share an entry, whose facts then apply to the computed hash.
    const isAnchored = head.anchored && head.entry !== intact.entry;
    this.#setHead({ ...head, anchored: isAnchored, altered: { computed, problem } });
  }

  /** Enters a value that is not a record, of which at most the hash is known. */
  appendUnreadable(hash: string | undefined, index: number): void {
    if (hash !== undefined) this.#index.getOrInsertHash(hash, index, false);
    this.#previousUnreadable = true;
  }

  /** Reports problems of a record's link, and returns whether the link connects it to the genesis record. */
  #link({ id, prev_hash: prevHash }: ThoughtRecord, index: number, report: ReportProblem): boolean {
    const head = this.#head;
    if (prevHash === head.hash && head.leaf && prevHash !== ZERO_HASH) return head.anchored;
    this.#saveHead();
    if (prevHash === ZERO_HASH) return this.#begin(id, index, report);
    const parent = this.#findParent(prevHash);
    if (parent) {
      if (prevHash === head.altered?.computed) blameHash(head.altered.problem);
      if (!parent.leaf) {
        const message = `record ${quote(id)} follows record ${parent.index}, as another record does: the chain forks`;
        report({ kind: "fork", id, path: "/prev_hash", related: parent.index, message });
      }
      this.#index.setLeaf(parent.entry, false);
      return parent.anchored;
    }
    this.#index.expectHash(prevHash);
    if (this.#previousUnreadable || this.#isLost()) return false;
    if (head.hash === null) {
      const message = `record ${quote(id)} is the first, but it follows ${prevHash} and not ${ZERO_HASH}`;
      report({ kind: "missing-genesis", id, path: "/prev_hash", message });
    } else {
      const message = `record ${quote(id)} follows a record that does not precede it: ${prevHash}`;
      report({ kind: "broken-link", id, path: "/prev_hash", message });
    }
    return false;
  }

  #begin(id: string, index: number, report: ReportProblem): boolean {
    if (this.#genesisIndex < 0) {
      this.#genesisIndex = index;
      return true;
    }
    const first = this.#genesisIndex;
    const message = `record ${quote(id)} claims to be the first, but the chain begins at index ${first}`;
    report({ kind: "second-genesis", id, path: "/prev_hash", related: first, message });
    return false;
  }

  /**
   * Returns the record that `prevHash` names. The index compares 64 bits of it. As long as a chain has no problem,
   * every record except the head is followed, so hashes that begin alike can hide a broken link only if one of them is
   * the head's. An altered head has two hashes.
   */
  #findParent(prevHash: string): KnownHash | undefined {
    const { hash, entry, altered } = this.#head;
    const found = this.#index.findHash(prevHash);
    const isOther = prevHash !== hash && prevHash !== altered?.computed;
    return found?.entry === entry && isOther ? undefined : found;
  }

  #enter(hash: string, index: number, anchored: boolean): Head {
    const known = this.#index.getOrInsertHash(hash, index, anchored);
    this.#index.setLeaf(known.entry, false);
    return { hash, entry: known.entry, anchored: known.anchored, leaf: known.leaf };
  }

  #setHead(head: Head): void {
    this.#head = head;
    this.#previousUnreadable = false;
  }

  #saveHead(): void {
    const { hash, entry, leaf } = this.#head;
    if (hash !== null) this.#index.setLeaf(entry, leaf);
  }

  /** If there is a broken link to `hash`, notes there that the record with this hash is at `index`. */
  #explainBrokenLink(hash: string, index: number): void {
    const broken = this.#brokenLinks.get(hash);
    if (!broken) return;
    broken.problem.related = index;
    broken.problem.message += `; it comes later, at index ${index}: the records were reordered`;
    if (this.#head.anchored) this.#index.setAnchored(broken.entry);
    this.#brokenLinks.delete(hash);
  }
}

function blameHash(problem: ProblemDraft | undefined): void {
  if (!problem) return;
  problem.path = "/hash";
  problem.message += "; the next record shows that the hash itself was changed";
}
