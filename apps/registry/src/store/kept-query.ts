import type { Compilable, CompiledQuery, Kysely } from "kysely";
import type { RegistryTables } from "./schema.ts";

/** A query that is compiled once for each database. The values in it only stand for its parameters, in their order. */
export interface KeptQuery<Row> {
  readonly build: (db: Kysely<RegistryTables>) => Compilable<Row>;
  readonly compiled: WeakMap<Kysely<RegistryTables>, CompiledQuery<Row>>;
}

/** Makes a query that is compiled on first use. */
export function keepQuery<Row>(build: KeptQuery<Row>["build"]): KeptQuery<Row> {
  return { build, compiled: new WeakMap() };
}

/** Returns a kept query, compiled for a database. */
export function compiledFor<Row>(db: Kysely<RegistryTables>, { build, compiled }: KeptQuery<Row>): CompiledQuery<Row> {
  let query = compiled.get(db);
  if (!query) {
    query = build(db).compile();
    compiled.set(db, query);
  }
  return query;
}
