import type { Rules } from "@agentprint/findings";
import { APPROVE } from "../findings/approve.ts";

/** The id of a rule about the login by which a server is reached. */
export type AuthRuleId =
  | "auth/issuer-changed"
  | "auth/endpoint-origin-changed"
  | "auth/scopes-widened"
  | "auth/scopes-narrowed"
  | "auth/metadata-changed";

const MOVED =
  "Do not log in. Ask the provider whether its login has moved. If it has, run `agentprint login <server>`, then `agentprint approve <server>`.";
const FIXED = "no policy lets a login move";

/** The rules about the login by which a server is reached. */
export const AUTH_RULES: Rules<AuthRuleId> = {
  "auth/issuer-changed": {
    level: "error",
    fixedBecause: FIXED,
    summary: "The server names another authorization server than when it was pinned. No token was sent.",
    help: MOVED,
    why: "Whoever logs people in gets what they type and agree to. A server that was taken over moves its login first.",
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
      "The authorization server names an endpoint at another origin than when the server was pinned. No token was sent.",
    help: MOVED,
    why: "Codes, refresh tokens and the secrets of clients go to these endpoints.",
    example: {
      text: "The token endpoint is at another host.",
      before: "https://login.example.com/token",
      after: "https://tokens.example.net/token",
    },
  },
  "auth/scopes-widened": {
    level: "error",
    summary: "The server asks for more scopes than when it was pinned, or the login has more.",
    help: APPROVE,
    why: "A tool that only read can write with a wider login, and its definition does not say so.",
    example: {
      text: "The server also asks for leave to write.",
      before: ["mcp:read"],
      after: ["mcp:read", "mcp:write"],
    },
  },
  "auth/scopes-narrowed": {
    level: "note",
    summary:
      "The server asks for fewer scopes than when it was pinned, and the login has fewer. It is a note: no outcome depends on it.",
    help: "Nothing has to be done; `agentprint approve <server>` takes the shorter list.",
    why: "What fewer scopes show can be less. Each list that changes is a finding of its own.",
    example: {
      text: "The login no longer has leave to write.",
      before: ["mcp:read", "mcp:write"],
      after: ["mcp:read"],
    },
  },
  "auth/metadata-changed": {
    level: "warning",
    summary:
      "The resource of the login, or an address of its authorization server, is another one, or the server began to ask for a login.",
    help: APPROVE,
    why: "The login goes on at the same origins. Nobody reviewed what it does there now.",
    example: {
      text: "The token endpoint has another path.",
      before: "https://login.example.com/token",
      after: "https://login.example.com/oauth/token",
    },
  },
};
