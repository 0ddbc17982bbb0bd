import type { Diagram } from "./diagram.ts";

const LOCK: Diagram = {
  title: "A lock: a visit writes what a server offers into agentprint.lock; later checks compare",
  height: 236,
  boxes: [
    { at: [24, 28], size: [160, 64], title: "MCP server", lines: ["as you reviewed it"] },
    {
      at: [278, 28],
      size: [200, 180],
      title: "agentprint.lock",
      ink: "accent",
      lines: [
        "how it is started",
        "what it says, item by item",
        "a digest of each part",
        "the accepted policy",
        "",
        "reviewed and committed",
        "like code",
      ],
    },
    { at: [24, 144], size: [160, 64], title: "MCP server", lines: ["today"] },
    { at: [570, 28], size: [126, 50], title: "0  the same", ink: "green" },
    { at: [570, 93], size: [126, 50], title: "1  drift", ink: "red" },
    { at: [570, 158], size: [126, 50], title: "2  cannot tell" },
  ],
  arrows: [
    { from: [184, 60], to: [276, 60], label: "pin" },
    { from: [184, 176], to: [276, 176], label: "check" },
    { from: [478, 118], to: [568, 53] },
    { from: [478, 118], to: [568, 118] },
    { from: [478, 118], to: [568, 183] },
  ],
};

const LAYERS: Diagram = {
  title: "Layers: each value of a tool is in one of four layers, each with a digest; wire is the digest of the tool",
  height: 286,
  boxes: [
    {
      at: [24, 24],
      size: [290, 238],
      title: "A tool, as the server sends it",
      isCode: true,
      lines: [
        '"name": "move_file"',
        '"inputSchema": {',
        '  "properties": { "source": … }',
        '  "required": ["source", …]',
        "}",
        '"title": "Move a file"',
        '"description": "Moves a file …"',
        '"annotations": {',
        '  "destructiveHint": false',
        "}",
        '"icons", "_meta", …',
      ],
    },
    {
      at: [390, 24],
      size: [306, 50],
      title: "contract",
      ink: "accent",
      lines: ["the name and the schemas without prose"],
    },
    { at: [390, 84], size: [306, 50], title: "prose", ink: "accent", lines: ["titles, descriptions, examples"] },
    { at: [390, 144], size: [306, 50], title: "hints", ink: "accent", lines: ["annotations"] },
    { at: [390, 204], size: [306, 58], title: "rest", ink: "accent", lines: ["every other member"] },
  ],
  arrows: [
    { from: [314, 96], to: [388, 49] },
    { from: [314, 164], to: [388, 109] },
    { from: [314, 204], to: [388, 169] },
    { from: [314, 246], to: [388, 235] },
  ],
};

const SESSIONS: Diagram = {
  title: "Eras and views: a server can answer in two eras of the protocol and to two kinds of clients",
  height: 252,
  boxes: [
    {
      at: [150, 62],
      size: [262, 74],
      title: "legacy/client",
      ink: "accent",
      lines: ["what Claude Code or another", "client is shown by initialize"],
    },
    {
      at: [430, 62],
      size: [266, 74],
      title: "modern/client",
      ink: "accent",
      lines: ["what the same client is shown", "without a handshake"],
    },
    {
      at: [150, 154],
      size: [262, 74],
      title: "legacy/bare",
      ink: "accent",
      lines: ["what a client that declares", "nothing is shown by initialize"],
    },
    {
      at: [430, 154],
      size: [266, 74],
      title: "modern/bare",
      ink: "accent",
      lines: ["what such a client is shown", "without a handshake"],
    },
  ],
  words: [
    { at: [150, 28], text: "Era: legacy", ink: "ink" },
    { at: [150, 48], text: "with initialize, up to 2025-11-25" },
    { at: [430, 28], text: "Era: modern", ink: "ink" },
    { at: [430, 48], text: "without it, 2026-07-28" },
    { at: [24, 96], text: "View: client", ink: "ink" },
    { at: [24, 116], text: "a common client" },
    { at: [24, 188], text: "View: bare", ink: "ink" },
    { at: [24, 208], text: "no capabilities" },
  ],
};

const FINDINGS: Diagram = {
  title: "Findings and policy: a comparison makes findings, the policy decides which count, a report shows them",
  height: 190,
  boxes: [
    { at: [24, 28], size: [144, 82], title: "Two sides", lines: ["what was pinned", "what is there now"] },
    {
      at: [206, 28],
      size: [150, 136],
      title: "Findings",
      ink: "accent",
      lines: ["the id of a rule", "a level", "a place", "the value before", "and after"],
    },
    {
      at: [402, 28],
      size: [140, 136],
      title: "Policy",
      ink: "accent",
      lines: ["presets", "levels of rules", "ignores that end", "", "a fault stays one"],
    },
    { at: [588, 28], size: [108, 64], title: "Report", lines: ["7 formats"] },
    { at: [588, 112], size: [108, 52], title: "Exit code", lines: ["0, 1 or 2"] },
  ],
  arrows: [
    { from: [168, 66], to: [204, 66] },
    { from: [356, 66], to: [400, 66] },
    { from: [542, 66], to: [586, 66] },
    { from: [542, 138], to: [586, 138] },
  ],
};

const TRAIL: Diagram = {
  title: "A trail: each record has the hash of the one before; a checkpoint signs the size and root of the trail",
  height: 262,
  boxes: [
    ...(["plan", "decision", "reflection"] as const).map((type, index) => ({
      at: [24 + index * 160, 28] as const,
      size: [126, 100] as const,
      title: `record ${index + 1}`,
      lines: [type, index === 0 ? "prev: zeros" : `prev: hash ${index}`, `hash ${index + 1}`],
    })),
    {
      at: [24, 178],
      size: [446, 60],
      title: "Tree of the hashes",
      lines: ["an inclusion proof shows that one record is in it"],
    },
    {
      at: [546, 28],
      size: [150, 100],
      title: "Checkpoint",
      ink: "accent",
      lines: ["size and root hash", "signed by the log", "kept elsewhere"],
    },
    { at: [546, 178], size: [150, 60], title: "Witness", lines: ["sees it continue"] },
  ],
  arrows: [
    { from: [184, 78], to: [152, 78] },
    { from: [344, 78], to: [312, 78] },
    ...[87, 247, 407].map((x) => ({ from: [x, 128] as const, to: [x, 176] as const })),
    { from: [470, 200], to: [544, 108] },
    { from: [620, 178], to: [620, 130] },
  ],
};

const MANIFEST: Diagram = {
  title: "A manifest: what users agreed to is compared with what the next version of an agent asks for",
  height: 226,
  boxes: [
    {
      at: [24, 28],
      size: [190, 100],
      title: "Manifest 1.0.0",
      ink: "accent",
      lines: ["tools and their schemas", "scopes and sensitivity", "version, digest"],
    },
    { at: [24, 158], size: [190, 44], title: "Users agree to it" },
    {
      at: [290, 28],
      size: [170, 100],
      title: "Manifest 1.1.0",
      ink: "accent",
      lines: ["the same members,", "a new digest"],
    },
    { at: [536, 28], size: [160, 50], title: "breaks callers?", lines: ["a call proves it"] },
    { at: [536, 90], size: [160, 50], title: "weakens consent?", ink: "red", lines: ["users are asked less"] },
    { at: [536, 152], size: [160, 50], title: "ask users again?", lines: ["they agreed to less"] },
  ],
  arrows: [
    { from: [119, 128], to: [119, 156] },
    { from: [214, 66], to: [288, 66], label: "diff" },
    { from: [460, 78], to: [534, 53] },
    { from: [460, 78], to: [534, 115] },
    { from: [214, 180], to: [534, 180], label: "consent" },
  ],
};

/** The diagrams on the concepts page, by file name. */
export const CONCEPTS: Readonly<Record<string, Diagram>> = {
  "concept-lock": LOCK,
  "concept-layers": LAYERS,
  "concept-findings": FINDINGS,
  "concept-trail": TRAIL,
  "concept-manifest": MANIFEST,
  "concept-sessions": SESSIONS,
};
