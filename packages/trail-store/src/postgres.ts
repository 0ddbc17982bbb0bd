export { openPool, type PoolOptions } from "./database/postgres-pool.ts";
