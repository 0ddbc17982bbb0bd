import type { Compilable, CompiledQuery, Kysely } from "kysely";
import type { RegistryTables } from "./schema.ts";

/**
 * A query that is compiled once for each database. The values in the query are placeholders for its parameters, in
 * order.
 */
export interface KeptQuery<Row> {
  readonly build: (db: Kysely<RegistryTables>) => Compilable<Row>;
  readonly compiled: WeakMap<Kysely<RegistryTables>, CompiledQuery<Row>>;
}

/** Creates a query that is compiled on first use. */
export function keepQuery<Row>(build: KeptQuery<Row>["build"]): KeptQuery<Row> {
  return { build, compiled: new WeakMap() };
}

/** Returns a query compiled for a database. */
export function compiledFor<Row>(db: Kysely<RegistryTables>, { build, compiled }: KeptQuery<Row>): CompiledQuery<Row> {
  let query = compiled.get(db);
  if (!query) {
    query = build(db).compile();
    compiled.set(db, query);
  }
  return query;
}
