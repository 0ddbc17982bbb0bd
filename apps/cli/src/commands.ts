import { CAPABILITIES_COMMANDS } from "./commands/capabilities.ts";
import type { CommandEntry } from "./commands/command-module.ts";
import { KEY_COMMANDS } from "./commands/key.ts";
import { MANIFEST_COMMANDS } from "./commands/manifest.ts";
import { SPEC_COMMANDS } from "./commands/spec.ts";
import { TEXT_COMMANDS } from "./commands/text.ts";
import { TRAIL_COMMANDS } from "./commands/trail.ts";

const SERVERS = "MCP servers:";
const GUARD = "The guard:";
const RULES = "Rules:";
const AGENTS = "Agents:";
const DATA = "JSON and text:";

/** Every command, as help lists it. A new command is one file in `commands/` and one entry here. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    term: "init [options]",
    summary: "Find the servers of your MCP clients, pin those that you choose, and let CI check them",
    group: SERVERS,
    load: () => import("./commands/init.ts"),
  },
  {
    term: "pin [options] [command...]",
    summary: "Start a server, request everything that it offers, and write the answers to the lock file",
    group: SERVERS,
    load: () => import("./commands/pin.ts"),
  },
  {
    term: "check [options] [server...]",
    summary: "Visit the pinned servers again and report every difference from the lock file",
    group: SERVERS,
    load: () => import("./commands/check.ts"),
  },
  {
    term: "watch [options] [server...]",
    summary: "Check at intervals, and send new findings to a webhook or a trail",
    group: SERVERS,
    load: () => import("./commands/watch.ts"),
  },
  {
    term: "approve [options] [server...]",
    summary: "Show what changed in pinned servers, and write the accepted states to the lock file",
    group: SERVERS,
    load: () => import("./commands/approve.ts"),
  },
  {
    term: "diff [options] <before> <after>",
    summary: "Compare two versions of a server, two servers, two saved visits or two locks, without pinning",
    group: SERVERS,
    load: () => import("./commands/diff.ts"),
  },
  {
    term: "release [options] [command...]",
    summary: "Say which version the tools of your own server need: major, minor or patch, and why",
    group: SERVERS,
    load: () => import("./commands/release.ts"),
  },
  {
    term: "statement [options] <file> <server>",
    summary: "Verify a server author's statement about a release against the lock file",
    group: SERVERS,
    load: () => import("./commands/statement.ts"),
  },
  {
    term: "key",
    summary: "Make, replace or revoke the key that signs statements",
    group: SERVERS,
    commands: KEY_COMMANDS,
  },
  {
    term: "attest [options] <server>",
    summary: "Sign that you reviewed a server's entry in the lock file",
    group: SERVERS,
    load: () => import("./commands/attest.ts"),
  },
  {
    term: "status [options]",
    summary: "Show what is pinned, since when, who attested it, and which of the clients' servers are not pinned",
    group: SERVERS,
    load: () => import("./commands/status.ts"),
  },
  {
    term: "list [options]",
    summary: "List the pinned servers, each with its launch, tools and digests",
    group: SERVERS,
    load: () => import("./commands/list.ts"),
  },
  {
    term: "show [options] <server> [tool]",
    summary: "Show everything that the lock file holds about a server, or one of its tools",
    group: SERVERS,
    load: () => import("./commands/show.ts"),
  },
  {
    term: "remove [options] <server...>",
    summary: "Remove servers from the lock file",
    group: SERVERS,
    load: () => import("./commands/remove.ts"),
  },
  {
    term: "login [options] <server>",
    summary: "Log in to a server over HTTP, so that pin and check can visit it",
    group: SERVERS,
    load: () => import("./commands/login.ts"),
  },
  {
    term: "logout [options] <server>",
    summary: "Forget the login for a server",
    group: SERVERS,
    load: () => import("./commands/logout.ts"),
  },
  {
    term: "whoami [options] [server]",
    summary: "List the logins: issuer, scopes and expiry, but no tokens",
    group: SERVERS,
    load: () => import("./commands/whoami.ts"),
  },
  {
    term: "guard [options] [server...]",
    summary: "Sit between a client and pinned servers: nothing that differs from its pin reaches a model",
    group: GUARD,
    load: () => import("./commands/guard.ts"),
  },
  {
    term: "wrap [options]",
    summary: "Put the guard in front of every server in clients' configurations",
    group: GUARD,
    load: () => import("./commands/wrap.ts"),
  },
  {
    term: "unwrap [options]",
    summary: "Remove the guard and restore each configuration byte for byte",
    group: GUARD,
    load: () => import("./commands/unwrap.ts"),
  },
  {
    term: "doctor [options]",
    summary: "List clients' servers that are not behind the guard, and what is frozen",
    group: GUARD,
    load: () => import("./commands/doctor.ts"),
  },
  {
    term: "rules [options]",
    summary: "List the rules that the findings of all commands refer to",
    group: RULES,
    load: () => import("./commands/rules.ts"),
  },
  {
    term: "explain <rule>",
    summary: "Explain a rule: what it looks for and what to do about a finding",
    group: RULES,
    load: () => import("./commands/explain.ts"),
  },
  {
    term: "manifest",
    summary: "Validate, hash and compare Capability Manifests, and make one from an MCP server",
    group: AGENTS,
    commands: MANIFEST_COMMANDS,
  },
  {
    term: "spec",
    summary: "Hash an agent's spec, and see how it drifted",
    group: AGENTS,
    commands: SPEC_COMMANDS,
  },
  {
    term: "capabilities",
    summary: "Compare what an agent was able to do in two turns (capability links or snapshots)",
    group: AGENTS,
    commands: CAPABILITIES_COMMANDS,
  },
  {
    term: "trail",
    summary: "Keep an agent's thoughts in a hash chain, and detect changes",
    group: AGENTS,
    commands: TRAIL_COMMANDS,
  },
  {
    term: "evidence [options] <out>",
    summary: "Write one file for an auditor: lock, configuration, attestations, and the trail of a period with proofs",
    group: AGENTS,
    load: () => import("./commands/evidence.ts"),
    commands: [
      {
        term: "verify [options] <file>",
        summary: "Verify an evidence file, without any other source",
        load: () => import("./commands/evidence-verify.ts"),
      },
    ],
  },
  {
    term: "canonicalize [options] [file]",
    summary: "Print a file's canonical JSON text, byte for byte as it is hashed",
    group: DATA,
    load: () => import("./commands/canonicalize.ts"),
  },
  {
    term: "hash [options] [file]",
    summary: "Print the SHA-256 of a file's canonical JSON as 64 lowercase hex digits",
    group: DATA,
    load: () => import("./commands/hash.ts"),
  },
  {
    term: "text",
    summary: "Hash text regardless of its formatting, and find out whether only formatting differs",
    group: DATA,
    commands: TEXT_COMMANDS,
  },
  {
    term: "vectors [args...]",
    summary: "Format and lint golden vectors, and run them against any implementation",
    group: DATA,
    load: () => import("./commands/vectors.ts"),
  },
];
