import type { Kysely, RawBuilder, SqlBool } from "kysely";
import type { TrailStoreError } from "./errors.ts";
import type { StoredThought, TrailDatabase } from "./schema.ts";
import type { StoreProblem } from "./store-problem.ts";

/** How a database is opened: made where it is not there, or as it is; and whether it may be written to. */
export type Access = "create" | "write" | "read";

/** What the chain already holds, for planning what is added to it. */
export interface Lookup {
  readonly byId: (id: string) => StoredThought | undefined;
  readonly head: (taskId: string) => StoredThought | undefined;
}

/** Which records an append adds, once it is known what is there. It may be asked again, after a conflict. */
export type Plan = (lookup: Lookup) => {
  readonly added: readonly StoredThought[];
  readonly all: readonly StoredThought[];
};

/** What an append is about, so that it can be looked up before the plan is asked. */
export interface AppendScope {
  readonly ids: readonly string[];
  readonly taskIds: readonly string[];
}

/** One transaction that takes many rows and shows none of them before it is committed. */
export interface BulkInsert {
  readonly existing: (ids: readonly string[]) => Promise<readonly StoredThought[]>;
  readonly head: (taskId: string) => Promise<StoredThought | undefined>;
  readonly insert: (rows: readonly StoredThought[]) => Promise<void>;
}

/** A database that holds trails. */
export interface Backend {
  readonly db: Kysely<TrailDatabase>;
  /** Plans and writes in one transaction, once. */
  readonly append: (scope: AppendScope, plan: Plan) => Promise<readonly StoredThought[]>;
  /** Runs `fill` in one transaction; nothing is kept where it throws. */
  readonly bulk: (fill: (bulk: BulkInsert) => Promise<void>) => Promise<void>;
  /** Has the database check its own structure. @throws `TrailStoreError` `corrupt`. */
  readonly checkStructure: () => Promise<void>;
  /** How the triggers of the tables, and what else guards them, differ from what the store made. */
  readonly compareGuards: () => Promise<readonly StoreProblem[]>;
  /** The condition of SQL that a row is one of a chain; reading passes over all others. */
  readonly inChain: RawBuilder<SqlBool>;
  /** What an error of the driver means; whether trying again may help. */
  readonly classify: (error: unknown) => Classified | undefined;
  readonly close: () => Promise<void>;
}

/** An error of a driver in the terms of this package. */
export interface Classified {
  readonly error: TrailStoreError;
  readonly retry: boolean;
}
