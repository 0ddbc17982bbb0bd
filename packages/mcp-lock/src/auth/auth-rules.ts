import type { Rules } from "@agentprint/findings";
import { APPROVE } from "../findings/approve.ts";

/** The id of a rule about the login that a server is reached with. */
export type AuthRuleId =
  | "auth/issuer-changed"
  | "auth/endpoint-origin-changed"
  | "auth/scopes-widened"
  | "auth/scopes-narrowed"
  | "auth/metadata-changed";

const MOVED =
  "Do not log in. Ask the provider whether its login has moved. If it has, run `agentprint login <server>`, then `agentprint approve <server>`.";
const FIXED = "no policy lets a login move";

/** The rules about the login that a server is reached with. */
export const AUTH_RULES: Rules<AuthRuleId> = {
  "auth/issuer-changed": {
    level: "error",
    fixedBecause: FIXED,
    summary: "The server names a different authorization server than when it was pinned. No token was sent.",
    help: MOVED,
    why: "Whoever runs the login receives everything that users enter and agree to. Moving the login is the first step of an attacker who takes over a server.",
    example: {
      text: "The server sends its users to another provider.",
      before: "https://login.example.com",
      after: "https://login.example.net",
    },
  },
  "auth/endpoint-origin-changed": {
    level: "error",
    fixedBecause: FIXED,
    summary:
      "The authorization server has an endpoint at a different origin than when the server was pinned. No token was sent.",
    help: MOVED,
    why: "Codes, refresh tokens and client secrets are sent to these endpoints.",
    example: {
      text: "The token endpoint is on another host.",
      before: "https://login.example.com/token",
      after: "https://tokens.example.net/token",
    },
  },
  "auth/scopes-widened": {
    level: "error",
    summary: "The server requests more scopes than when it was pinned, or the login has more.",
    help: APPROVE,
    why: "With a wider login, a tool that could only read may be able to write, without a change in its definition.",
    example: {
      text: "The server also requests write access.",
      before: ["mcp:read"],
      after: ["mcp:read", "mcp:write"],
    },
  },
  "auth/scopes-narrowed": {
    level: "note",
    summary:
      "The server requests fewer scopes than when it was pinned, and the login has fewer. This is a note: no outcome depends on it.",
    help: "Nothing needs to be done; `agentprint approve <server>` accepts the shorter list.",
    why: "With fewer scopes, the server may show less. Each changed list is a separate finding.",
    example: {
      text: "The login no longer has write permission.",
      before: ["mcp:read", "mcp:write"],
      after: ["mcp:read"],
    },
  },
  "auth/metadata-changed": {
    level: "warning",
    summary:
      "The login's resource, or an address of its authorization server, changed, or the server now requires a login.",
    help: APPROVE,
    why: "The login continues at the same origins. No one has reviewed the definitions that it shows there now.",
    example: {
      text: "The token endpoint has a different path.",
      before: "https://login.example.com/token",
      after: "https://login.example.com/oauth/token",
    },
  },
};
