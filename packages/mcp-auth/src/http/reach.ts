import { BlockList, isIP } from "node:net";

/** How far from the public network an address is. */
export type Reach = "public" | "private" | "loopback" | "forbidden";

function blockList(...subnets: readonly (readonly [net: string, prefix: number])[]): BlockList {
  const list = new BlockList();
  for (const [net, prefix] of subnets) list.addSubnet(net, prefix, net.includes(":") ? "ipv6" : "ipv4");
  return list;
}

const LOOPBACK = blockList(["127.0.0.0", 8], ["::1", 128]);
/** Link-local addresses, including those where clouds serve credentials, and addresses that do not refer to a host. */
const FORBIDDEN = blockList(
  ["169.254.0.0", 16],
  ["fe80::", 10],
  ["fd00:ec2::254", 128],
  ["100.100.100.200", 32],
  ["0.0.0.0", 8],
  ["::", 128],
  ["224.0.0.0", 3],
  ["ff00::", 8],
);
const PRIVATE = blockList(
  ["10.0.0.0", 8],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["100.64.0.0", 10],
  ["198.18.0.0", 15],
  ["fc00::", 7],
  ["64:ff9b::", 96],
);

/** Returns the reach of an IP address, including an IPv4 address within an IPv6 address. */
export function reachOf(address: string): Reach {
  const family = isIP(address) === 6 ? "ipv6" : "ipv4";
  if (FORBIDDEN.check(address, family)) return "forbidden";
  if (LOOPBACK.check(address, family)) return "loopback";
  return PRIVATE.check(address, family) ? "private" : "public";
}

const DEPTH: Readonly<Record<Reach, number>> = { public: 0, private: 1, loopback: 2, forbidden: 3 };

/**
 * Returns whether a server with one reach may name an address with another: the address may not be nearer to this
 * machine than the server is.
 */
export function mayName(server: Reach, named: Reach): boolean {
  return named !== "forbidden" && DEPTH[named] <= DEPTH[server];
}

/**
 * Returns the host of a URL if it is an IP address, without the brackets of IPv6; `undefined` if the host is a name.
 */
export function literalAddress({ hostname }: URL): string | undefined {
  const host = hostname.replace(/^\[|\]$/g, "");
  return isIP(host) === 0 ? undefined : host;
}

/** Returns whether a URL's host can only be this machine. */
export function isLoopback(url: URL): boolean {
  const address = literalAddress(url);
  if (address !== undefined) return reachOf(address) === "loopback";
  return /(^|\.)localhost\.?$/.test(url.hostname);
}
