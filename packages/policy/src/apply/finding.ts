import type { Level } from "./decisions.ts";

/** The members of a finding that a policy reads. Findings of every domain have these members, and more. */
export interface PolicyFinding {
  /** Id of the rule, `domain/kebab-case`. */
  readonly rule: string;
  /** The level that the domain gave the finding. */
  readonly level: Level;
  readonly place: {
    readonly subject: string;
    /** The name of the server in the lock. */
    readonly server?: string;
    /** The name of the tool that the finding is about. */
    readonly tool?: string;
    /** RFC 6901 JSON Pointer inside the subject; absent where the finding is about the whole subject. */
    readonly pointer?: string;
  };
  /** An observation that is no difference: no outcome depends on it unless `rules` of the policy name its rule. */
  readonly isRemark?: true;
  /** The subject could not be read or compared. No policy lowers such a finding. */
  readonly couldNotTell?: true;
  /** One sentence with further information. */
  readonly note?: string;
}
