import type { ExportedRow } from "@agentprint/trail-store";
import type { ColumnSource, ParquetWriter } from "hyparquet-writer";

/** A row for an engine that does not keep the order of lines. */
export interface TrailRow extends ExportedRow {
  /** The URL of the store, without a password. */
  readonly store: string;
}

/** The number of UTF-16 units in the lines of one group of rows, which is encoded in memory. */
const GROUP_LENGTH = 2 ** 24;
const GROUP_ROWS = 100_000;

const TEXT = { type: "BYTE_ARRAY", converted_type: "UTF8", repetition_type: "REQUIRED" } as const;

/**
 * Yields rows as the bytes of a Parquet file with the columns `store`, `task`, `position` and `line`. A group of rows
 * has some 16 MB of lines, so memory does not grow with the trail.
 *
 * Uses hyparquet-writer because it writes group by group, in JavaScript and with one dependency; parquet-wasm needs the
 * complete Arrow table in memory.
 */
export async function* parquetOf(rows: AsyncIterable<TrailRow>): AsyncGenerator<Uint8Array, void> {
  const { ByteWriter, ParquetWriter } = await import("hyparquet-writer");
  const bytes = new ByteWriter();
  const schema = [
    { name: "root", num_children: 4 },
    { name: "store", ...TEXT },
    { name: "task", ...TEXT },
    { name: "position", type: "INT64", repetition_type: "REQUIRED" } as const,
    { name: "line", ...TEXT },
  ];
  const file: ParquetWriter = new ParquetWriter({ writer: bytes, schema });
  const taken = (): Uint8Array => {
    const chunk = bytes.getBytes().slice();
    bytes.index = 0;
    return chunk;
  };
  for await (const group of groupsOf(rows)) {
    await file.write({ columnData: columnsOf(group), rowGroupSize: group.length });
    yield taken();
  }
  await file.finish();
  yield taken();
}

async function* groupsOf(rows: AsyncIterable<TrailRow>): AsyncGenerator<TrailRow[], void> {
  let group: TrailRow[] = [];
  let length = 0;
  for await (const row of rows) {
    group.push(row);
    length += row.line.length;
    if (length < GROUP_LENGTH && group.length < GROUP_ROWS) continue;
    yield group;
    group = [];
    length = 0;
  }
  if (group.length > 0) yield group;
}

function columnsOf(group: readonly TrailRow[]): ColumnSource[] {
  return [
    { name: "store", data: group.map(({ store }) => store) },
    { name: "task", data: group.map(({ task }) => task) },
    { name: "position", data: group.map(({ position }) => BigInt(position)) },
    { name: "line", data: group.map(({ line }) => line) },
  ];
}
