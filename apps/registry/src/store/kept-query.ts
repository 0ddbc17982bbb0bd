import type { Compilable, CompiledQuery, Kysely } from "kysely";
import type { RegistryTables } from "./schema.ts";

/** A query that is compiled once for each database. The values in it only stand for the parameters, in their order. */
export interface KeptQuery<Row> {
  readonly build: (db: Kysely<RegistryTables>) => Compilable<Row>;
  readonly compiled: WeakMap<Kysely<RegistryTables>, CompiledQuery<Row>>;
}

/** Makes a query that is compiled when it is first run. */
export function keepQuery<Row>(build: KeptQuery<Row>["build"]): KeptQuery<Row> {
  return { build, compiled: new WeakMap() };
}

/** The text of a kept query for a database. */
export function compiledFor<Row>(db: Kysely<RegistryTables>, { build, compiled }: KeptQuery<Row>): CompiledQuery<Row> {
  let query = compiled.get(db);
  if (!query) {
    query = build(db).compile();
    compiled.set(db, query);
  }
  return query;
}
