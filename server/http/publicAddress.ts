/**
 * Decides which IP addresses belong to the public internet: those that aren't in any of the tables below. IPv6
 * addresses must also be global unicast (2000::/3), so forms that embed an IPv4 address are rejected without decoding
 * them.
 */
import { BlockList, isIP } from "node:net";

/**
 * The ranges in IANA's special-purpose registries for IPv4, and the public addresses that some clouds use for their
 * metadata services.
 */
const ranges4: [network: string, prefix: number, what: string][] = [
  ["0.0.0.0", 8, "an unspecified address"],
  ["10.0.0.0", 8, "a private address"],
  ["100.64.0.0", 10, "a carrier-grade NAT address"],
  ["127.0.0.0", 8, "a loopback address"],
  ["168.63.129.16", 32, "a cloud metadata address"],
  ["169.254.0.0", 16, "a link-local address"],
  ["172.16.0.0", 12, "a private address"],
  ["192.0.0.0", 24, "a reserved address"],
  ["192.0.2.0", 24, "a documentation address"],
  ["192.88.99.0", 24, "a 6to4 relay address"],
  ["192.168.0.0", 16, "a private address"],
  ["198.18.0.0", 15, "a benchmarking address"],
  ["198.51.100.0", 24, "a documentation address"],
  ["203.0.113.0", 24, "a documentation address"],
  ["224.0.0.0", 4, "a multicast address"],
  ["240.0.0.0", 4, "a reserved address"],
];

/**
 * Rejected ranges. Those outside 2000::/3 would be rejected anyway; they're listed only so that error messages can name
 * them.
 */
const ranges6: [network: string, prefix: number, what: string][] = [
  ["::", 128, "an unspecified address"],
  ["::1", 128, "a loopback address"],
  ["::ffff:0:0", 96, "an IPv4 address in IPv6 form"],
  ["64:ff9b::", 32, "an IPv4 address in IPv6 form"],
  ["2001::", 23, "a reserved address"],
  ["2001:db8::", 32, "a documentation address"],
  ["2002::", 16, "an IPv4 address in IPv6 form"],
  ["3fff::", 20, "a documentation address"],
  ["fc00::", 7, "a private address"],
  ["fe80::", 10, "a link-local address"],
  ["fec0::", 10, "a private address"],
  ["ff00::", 8, "a multicast address"],
];

type Family = "ipv4" | "ipv6";

function toTable(ranges: typeof ranges4, family: Family): { list: BlockList; what: string }[] {
  return ranges.map(([network, prefix, what]) => ({ list: toBlockList(network, prefix, family), what }));
}

function toBlockList(network: string, prefix: number, family: Family): BlockList {
  const list = new BlockList();
  list.addSubnet(network, prefix, family);
  return list;
}

const tables = { ipv4: toTable(ranges4, "ipv4"), ipv6: toTable(ranges6, "ipv6") };
const globalUnicast = toBlockList("2000::", 3, "ipv6");
const loopback = { ipv4: toBlockList("127.0.0.0", 8, "ipv4"), ipv6: toBlockList("::1", 128, "ipv6") };

/** Drops a scope ("%eth0"). Only link-local addresses have one, and those are rejected anyway. */
function readAddress(address: string): { bare: string; family: Family } | undefined {
  const bare = address.split("%")[0] ?? "";
  const version = isIP(bare);
  return version === 0 ? undefined : { bare, family: version === 4 ? "ipv4" : "ipv6" };
}

/** Describes an address that is not public ("a private address"); undefined for a public one. */
export function findSpecialAddress(address: string): string | undefined {
  const read = readAddress(address);
  if (!read) return "not an IP address";
  const { bare, family } = read;
  // An IPv6 address isn't checked against the IPv4 table, because BlockList would also match mapped addresses.
  const entry = tables[family].find(({ list }) => list.check(bare, family));
  if (entry) return entry.what;
  return family === "ipv6" && !globalUnicast.check(bare, "ipv6") ? "a reserved address" : undefined;
}

/** True for 127.0.0.0/8 and ::1; false for an IPv4-mapped IPv6 address. */
export function isLoopbackAddress(address: string): boolean {
  const read = readAddress(address);
  return read !== undefined && loopback[read.family].check(read.bare, read.family);
}
