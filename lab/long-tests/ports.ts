import { FINGERPRINTS, type LongTest, TRAIL } from "./long-test.ts";

const FOLDERS = ["fixtures/ports", "fixtures/src", "fixtures/test"];

/** The long tests of the ports and of third-party programs that verify trails. */
export const PORTS: readonly LongTest[] = [
  {
    name: "fuzz",
    about: "10,000,000 random documents, and texts, chains and visits, run through every port",
    command: ["pnpm", "exec", "vitest", "run", "--mode", "slow", "--project", "fixtures", "cross-fuzz"],
    env: { FUZZ_DOCUMENTS: "10000000" },
    folders: [...FOLDERS, ...FINGERPRINTS],
  },
  {
    name: "rust-fuzz",
    about:
      "three fuzz targets of the Rust port for 10 minutes: no bytes and no request make it panic, hang or fill memory",
    command: ["pnpm", "--filter", "@agentprint/golden-vectors", "rust-fuzz"],
    folders: ["fixtures/ports/rust", "fixtures/tools/rust-fuzz.ts"],
  },
  {
    name: "rust-bench",
    about: "canonical JSON of the Rust port compared with serde_jcs, after a comparison of their outputs",
    command: ["cargo", "bench", "--quiet", "--locked", "--manifest-path", "fixtures/ports/rust/benches/Cargo.toml"],
    folders: ["fixtures/ports/rust/benches", "fixtures/ports/rust/src"],
  },
  {
    name: "port-packages",
    about: "the ports built as packages, checked, installed into empty projects and run against every vector",
    command: ["pnpm", "--filter", "@agentprint/golden-vectors", "port-packages"],
    folders: ["fixtures/ports", "fixtures/vectors", "fixtures/tools/port-packages.ts"],
  },
  {
    name: "matrix",
    about: "the canonical JSON vectors run against other people's libraries; writes fixtures/MATRIX.md",
    command: ["pnpm", "matrix"],
    folders: ["fixtures/vectors/canonical-json", "fixtures/tools/matrix", ...FOLDERS, "packages/canonical-json/src"],
  },
  {
    name: "python-peers",
    about:
      "the Python port's recorder with the oldest and the newest LangChain that it allows, each installed into an empty folder",
    command: ["pnpm", "--filter", "@agentprint/golden-vectors", "langchain", "==1.4.0", "<2"],
    folders: ["fixtures/ports/python/src/agentprint", "fixtures/tools/python-langchain.ts"],
  },
  {
    name: "trail-sql",
    about:
      "10,000 damaged trails judged by DuckDB and by trail verify: kinds, records, heads and roots must be the same",
    command: ["pnpm", "exec", "vitest", "run", "--mode", "slow", "--project", "apps/cli", "trail-sql"],
    env: { DAMAGED_TRAILS: "10000", TRAIL_LEAVES: "100003" },
    folders: [...TRAIL, "apps/cli/src/trail", "apps/cli/test/support", "fixtures/spec"],
  },
  {
    name: "spark",
    about:
      "the Python port with its extra spark in an empty folder: 300 damaged trails judged as trail verify does, and 100,000 records timed",
    command: ["pnpm", "--filter", "@agentprint/golden-vectors", "spark"],
    folders: [
      ...TRAIL,
      "apps/cli/src/trail",
      "apps/cli/test/support",
      "fixtures/ports/python/src/agentprint/spark.py",
      "fixtures/tools/python-spark.ts",
    ],
  },
];
