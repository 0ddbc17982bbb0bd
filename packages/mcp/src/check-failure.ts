import type { JsonChange } from "@agentprint/canonical-json";
import type { ServerAuth } from "./server-auth.ts";

/**
 * The reason why a visit has no answers: the server did not start, took too long, or sent data that is not an MCP
 * message.
 */
export interface CheckFailure {
  readonly failure: {
    /** Stable, machine-readable reason, for example `timeout`. */
    readonly code: string;
    /** One sentence for people. */
    readonly message: string;
    /** The artifacts of the launch that differ from the locked ones, so that the server was not started. */
    readonly artifacts?: readonly JsonChange[];
    /** The login that the server now requires, which has moved, so that no token was sent. */
    readonly auth?: ServerAuth;
  };
}
