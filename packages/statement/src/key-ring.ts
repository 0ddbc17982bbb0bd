import type { LockedKeys } from "@agentprint/mcp-lock";
import { createVerifier, type StatementVerifier } from "./keys.ts";
import type { StatementProblem } from "./prove-statement.ts";

/** Facts about keys that are known without their history. */
export interface KeyFacts {
  readonly now: Date;
  /** The keys that the user named, each as the Base64 of its SubjectPublicKeyInfo. */
  readonly keys: readonly string[];
  /** The lock's memory of the server's keys. */
  readonly remembered?: Pick<LockedKeys, "history" | "successors" | "revoked">;
  /** The keys that were revoked for any server. */
  readonly revoked?: LockedKeys["revoked"];
}

/** The keys that sign for a server: the keys that the user named, and all their successors. */
export class KeyRing {
  /** By the key's text. */
  readonly #verifiers = new Map<string, StatementVerifier>();
  readonly #successors = new Map<string, string>();
  /** The keys whose successors have been accepted. */
  readonly #bound: Set<string>;
  readonly #accepted: ReadonlySet<string>;
  /** The keys that are known only from rotations that no one has accepted. */
  readonly #proposed = new Set<string>();
  readonly #revoked = new Map<string, string>();

  constructor({ keys, remembered, revoked = [] }: KeyFacts) {
    for (const key of keys) this.#add(key);
    for (const { key, successor } of remembered?.successors ?? []) this.#successors.set(key, successor);
    this.#accepted = new Set(this.#successors.keys());
    this.#bound = new Set(this.#accepted);
    this.#addSuccessors();
    for (const { key, since } of [...revoked, ...(remembered?.revoked ?? [])]) this.#revoked.set(key, since);
  }

  known(): readonly StatementVerifier[] {
    return [...this.#verifiers.values()];
  }

  current(): readonly StatementVerifier[] {
    return this.known().filter(({ publicKey }) => !this.#revoked.has(publicKey) && !this.#bound.has(publicKey));
  }

  /** Returns the keys that neither the user nor an accepted rotation named. */
  unaccepted(): readonly StatementVerifier[] {
    return this.known().filter(({ publicKey }) => this.#proposed.has(publicKey));
  }

  former(): { readonly key: StatementVerifier; readonly problem: StatementProblem }[] {
    return this.known().flatMap((key) => {
      const problem = this.#problemOf(key.publicKey);
      return problem === undefined ? [] : [{ key, problem }];
    });
  }

  /** Returns a known key's text. */
  textOf(keyId: string): string {
    return this.known().find((key) => key.keyId === keyId)?.publicKey ?? "";
  }

  /** Returns whether a key's successor was accepted. */
  hasAccepted({ key, successor }: { readonly key: string; readonly successor: string }): boolean {
    return this.#bound.has(key) && this.#successors.get(key) === successor;
  }

  /** Returns the server's keys whose successors were accepted before. */
  acceptedBefore(): string[] {
    return [...this.#accepted].filter((key) => this.#verifiers.has(key));
  }

  /** Returns whether a key cannot sign for the server because it is unknown or already revoked. */
  isOutside({ key }: { readonly key: string }): boolean {
    return !this.#verifiers.has(key) || this.#revoked.has(key);
  }

  successorOf(key: string): string | undefined {
    return this.#successors.get(key);
  }

  isFormer(key: string): boolean {
    return this.#revoked.has(key) || this.#successors.has(key);
  }

  /** @param isBound Whether the key is no longer valid from now on */
  rotate(key: string, successor: string, isBound: boolean): void {
    this.#successors.set(key, successor);
    if (isBound) this.#bound.add(key);
    if (this.#verifiers.has(successor)) return;
    this.#proposed.add(successor);
    this.#add(successor);
  }

  revoke(key: string, since: string): void {
    this.#revoked.set(key, since);
  }

  /** Returns the successors and revocations for the lock. */
  memory(): Pick<LockedKeys, "successors" | "revoked"> {
    return {
      successors: [...this.#successors].map(([key, successor]) => ({ key, successor })),
      revoked: [...this.#revoked].map(([key, since]) => ({ key, since })),
    };
  }

  #add(key: string): void {
    const verifier = createVerifier(key);
    this.#verifiers.set(verifier.publicKey, verifier);
  }

  /** Adds the successors of named keys, their successors, and so on. */
  #addSuccessors(): void {
    for (const key of this.#verifiers.keys()) {
      const successor = this.#successors.get(key);
      // Iteration over a map also visits keys that are added during the iteration.
      if (successor !== undefined && !this.#verifiers.has(successor)) this.#add(successor);
    }
  }

  #problemOf(key: string): StatementProblem | undefined {
    const since = this.#revoked.get(key);
    const path = "/signatures";
    if (since !== undefined) {
      return { rule: "statement/key-revoked", path, message: `the signing key ${key} has been revoked since ${since}` };
    }
    if (!this.#bound.has(key)) return undefined;
    const message = `the key ${key} signed, which ${this.#successors.get(key)} has replaced`;
    return { rule: "statement/key-succeeded", path, message };
  }
}
