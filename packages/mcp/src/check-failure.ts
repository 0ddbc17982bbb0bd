import type { JsonChange } from "@agentprint/canonical-json";
import type { ServerAuth } from "./server-auth.ts";

/**
 * The reason why a visit has no answers: the server did not start, took too long, or sent data that is not an MCP
 * message.
 */
export interface CheckFailure {
  readonly failure: {
    /** The stable, machine-readable reason, for example `timeout`. */
    readonly code: string;
    /** One sentence for people. */
    readonly message: string;
    /** The launch's artifacts that differ from the locked ones; because of them the server was not started. */
    readonly artifacts?: readonly JsonChange[];
    /** The login that the server now requires; it differs from the locked one, so no token was sent. */
    readonly auth?: ServerAuth;
  };
}
