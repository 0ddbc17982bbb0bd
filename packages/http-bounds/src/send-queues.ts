import { readFile } from "node:fs/promises";
import type { Socket } from "node:net";

/** How many bytes wait in the kernel for each connection of this machine, keyed by the connection's {@link portsOf}. */
export type SendQueues = ReadonlyMap<string, number>;

const TABLES = ["/proc/net/tcp", "/proc/net/tcp6"];
/** `sl local:port remote:port state tx:rx …`, in hexadecimal digits. */
const ROW = /^ *\d+: [0-9A-F]+:([0-9A-F]{4}) [0-9A-F]+:([0-9A-F]{4}) [0-9A-F]{2} ([0-9A-F]{8}):/gm;

/**
 * Reads how many bytes the kernel still has for each connection's client. Only a system with `/proc` shows this;
 * elsewhere it is unknown. Without it, a slow client looks like one that reads nothing, because the kernel takes more
 * bytes from the process only after most of its buffer has been read.
 */
export async function readSendQueues(): Promise<SendQueues> {
  const texts = await Promise.all(TABLES.map((table) => readFile(table, "latin1").catch(() => "")));
  const queues = new Map<string, number>();
  for (const [, local, remote, bytes] of texts.flatMap((text) => [...text.matchAll(ROW)])) {
    const key = `${Number.parseInt(local as string, 16)} ${Number.parseInt(remote as string, 16)}`;
    queues.set(key, (queues.get(key) ?? 0) + Number.parseInt(bytes as string, 16));
  }
  return queues;
}

/**
 * Returns a connection's ports, by which {@link readSendQueues} identifies it; connections from different addresses
 * with the same ports are counted together.
 */
export function portsOf({ localPort, remotePort }: Socket): string {
  return `${localPort} ${remotePort}`;
}
