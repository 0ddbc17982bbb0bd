import { quote } from "./errors.ts";
import { HashIndex } from "./hash-index.ts";
import type { ProblemDraft } from "./problem-log.ts";
import { type ThoughtRecord, ZERO_HASH } from "./schema.ts";

/** Reports a problem of the record at hand; the result may still be completed. */
export type Report = (problem: Omit<ProblemDraft, "index" | "position">) => ProblemDraft | undefined;

/**
 * Finds out which record each record follows, and whether whole links lead from it to the genesis record. To links a
 * record is its hash: several that carry one hash are one.
 */
export class LinkTracker {
  readonly #hashes = new HashIndex();
  // Broken links by the hash they look for: a record that still comes with it shows that the order was changed.
  readonly #awaited = new Map<string, { problem: ProblemDraft; entry: number }>();
  #head: string | null = null;
  #headEntry = -1;
  #headAnchored = false;
  #headIsLeaf = true;
  #genesis = -1;
  // The record before was unreadable: what the next one follows cannot be told.
  #gap = false;
  #altered: { computed: string; problem: ProblemDraft | undefined } | undefined;

  /** Hash of the last record of the chain. */
  get head(): string | null {
    return this.#head;
  }

  /** Whether a record with this hash was seen. */
  has(hash: string): boolean {
    return this.#hashes.find(hash) !== undefined;
  }

  /** Takes up a record that follows the head of a chain without any problem: it is anchored. */
  followHead({ hash }: ThoughtRecord, index: number): true {
    this.#advance(hash, this.#hashes.add(hash, index));
    return true;
  }

  /** Takes up any whole record and returns whether it is anchored. */
  follow(record: ThoughtRecord, index: number, report: Report): boolean {
    let missing: ProblemDraft | undefined;
    const anchored = this.#link(record, index, (problem) => {
      const reported = report(problem);
      if (problem.kind === "broken-link") missing = reported;
      return reported;
    });
    this.#takeUp(record.hash, index, anchored);
    if (missing) this.#awaited.set(record.prev_hash, { problem: missing, entry: this.#headEntry });
    if (this.#awaited.size > 0) this.#resolve(record.hash, index);
    return anchored;
  }

  /** Takes up a record whose content does not have its hash; `computed` is the hash that it does have. */
  followAltered(record: ThoughtRecord, computed: string, index: number, problem: ProblemDraft | undefined): void {
    const first = this.#head === null;
    const followsHead = record.prev_hash === (this.#head ?? ZERO_HASH);
    if (first) this.#genesis = index;
    else if (!followsHead) this.#leaveHead();
    this.#hashes.claim(computed, index, followsHead && (first || this.#headAnchored));
    this.#takeUp(record.hash, index, false);
    this.#altered = { computed, problem };
  }

  /** Takes up something that is not a record, of which at most the hash is known. */
  followUnreadable(hash: string | undefined, index: number): void {
    if (hash !== undefined) this.#hashes.claim(hash, index, false);
    this.#gap = true;
  }

  #link({ id, prev_hash: prevHash }: ThoughtRecord, index: number, report: Report): boolean {
    if (prevHash === this.#head && this.#headIsLeaf && prevHash !== ZERO_HASH) return this.#headAnchored;
    this.#leaveHead();
    if (prevHash === ZERO_HASH) return this.#begin(id, index, report);
    const found = this.#hashes.find(prevHash);
    // No other record is a leaf unless there is a problem already: here 64 bits that are equal could hide one.
    const parent = found?.entry === this.#headEntry && prevHash !== this.#head ? undefined : found;
    if (parent) {
      if (prevHash === this.#altered?.computed) this.#blameHash(this.#altered.problem);
      if (!parent.leaf) {
        const message = `record ${quote(id)} follows record ${parent.index}, as another record does: the chain forks`;
        report({ kind: "fork", id, path: "/prev_hash", related: parent.index, message });
      }
      this.#hashes.setLeaf(parent.entry, false);
      return parent.anchored;
    }
    this.#hashes.expect(prevHash);
    if (this.#gap) return false;
    if (this.#head === null) {
      const message = `record ${quote(id)} is the first, but it follows ${prevHash} and not ${ZERO_HASH}`;
      report({ kind: "missing-genesis", id, path: "/prev_hash", message });
    } else {
      const message = `record ${quote(id)} follows a record that is not before it: ${prevHash}`;
      report({ kind: "broken-link", id, path: "/prev_hash", message });
    }
    return false;
  }

  #begin(id: string, index: number, report: Report): boolean {
    if (this.#genesis < 0) {
      this.#genesis = index;
      return true;
    }
    const message = `record ${quote(id)} claims to be the first, but the chain begins at index ${this.#genesis}`;
    report({ kind: "second-genesis", id, path: "/prev_hash", related: this.#genesis, message });
    return false;
  }

  #leaveHead(): void {
    if (this.#head !== null) this.#hashes.setLeaf(this.#headEntry, this.#headIsLeaf);
  }

  #takeUp(hash: string, index: number, anchored: boolean): void {
    const known = this.#hashes.claim(hash, index, anchored);
    this.#hashes.setLeaf(known.entry, false);
    this.#advance(hash, known.entry);
    this.#headIsLeaf = known.leaf;
    this.#headAnchored = known.anchored;
  }

  #advance(hash: string, entry: number): void {
    this.#head = hash;
    this.#headEntry = entry;
    this.#headIsLeaf = true;
    this.#gap = false;
    this.#altered = undefined;
  }

  #blameHash(problem: ProblemDraft | undefined): void {
    if (!problem) return;
    problem.path = "/hash";
    problem.message += "; the next record shows that the hash itself was changed";
  }

  #resolve(hash: string, index: number): void {
    const waiting = this.#awaited.get(hash);
    if (!waiting) return;
    waiting.problem.related = index;
    waiting.problem.message += `; it comes later, at index ${index}: the records were reordered`;
    if (this.#headAnchored) this.#hashes.setAnchored(waiting.entry);
    this.#awaited.delete(hash);
  }
}
