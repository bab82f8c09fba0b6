import { describe, expect, it } from "vitest";
import { findSpecialAddress, isLoopbackAddress } from "@/server/http/publicAddress";

describe("findSpecialAddress", () => {
  it.each([
    "1.1.1.1",
    "8.8.8.8",
    "9.255.255.255",
    "11.0.0.0",
    "100.63.255.255",
    "100.128.0.0",
    "126.255.255.255",
    "128.0.0.1",
    "169.253.255.255",
    "172.15.255.255",
    "172.32.0.0",
    "192.0.1.1",
    "198.17.255.255",
    "198.20.0.0",
    "223.255.255.255",
    "2606:4700:4700::1111",
    "2a00:1450:4001:81b::200e",
    "2001:200::1",
  ])("returns undefined for the public address %s", (address) => {
    expect(findSpecialAddress(address)).toBeUndefined();
  });

  it.each([
    ["0.0.0.0", "unspecified"],
    ["0.1.2.3", "unspecified"],
    ["10.0.0.1", "private"],
    ["172.16.0.1", "private"],
    ["172.31.255.255", "private"],
    ["192.168.1.1", "private"],
    ["127.0.0.1", "loopback"],
    ["127.255.255.254", "loopback"],
    ["169.254.169.254", "link-local"],
    ["168.63.129.16", "metadata"],
    ["100.64.0.1", "carrier"],
    ["100.100.100.200", "carrier"],
    ["192.0.0.192", "reserved"],
    ["192.0.2.1", "documentation"],
    ["198.51.100.7", "documentation"],
    ["203.0.113.9", "documentation"],
    ["198.19.0.1", "benchmarking"],
    ["192.88.99.1", "6to4"],
    ["224.0.0.1", "multicast"],
    ["239.255.255.250", "multicast"],
    ["240.0.0.1", "reserved"],
    ["255.255.255.255", "reserved"],
    ["::", "unspecified"],
    ["::1", "loopback"],
    ["::ffff:127.0.0.1", "IPv4"],
    ["::ffff:7f00:1", "IPv4"],
    ["::ffff:8.8.8.8", "IPv4"],
    ["::7f00:1", "reserved"],
    ["::ffff:0:127.0.0.1", "reserved"],
    ["64:ff9b::7f00:1", "IPv4"],
    ["64:ff9b:1::a00:1", "IPv4"],
    ["2002:7f00:1::", "IPv4"],
    ["2001::1", "reserved"],
    ["2001:db8::1", "documentation"],
    ["3fff::1", "documentation"],
    ["100::1", "reserved"],
    ["5f00::1", "reserved"],
    ["fc00::1", "private"],
    ["fd00:ec2::254", "private"],
    ["fe80::1", "link-local"],
    ["fe80::1%eth0", "link-local"],
    ["fec0::1", "private"],
    ["ff02::1", "multicast"],
    ["localhost", "not an IP address"],
    ["", "not an IP address"],
  ])("describes %s as %s", (address, word) => {
    expect(findSpecialAddress(address)).toContain(word);
  });
});

describe("isLoopbackAddress", () => {
  it("is true for loopback addresses, and false for mapped, unspecified and private addresses and for names", () => {
    expect(["127.0.0.1", "127.9.9.9", "::1"].filter(isLoopbackAddress)).toHaveLength(3);
    expect(["::ffff:127.0.0.1", "0.0.0.0", "::", "10.0.0.1", "localhost"].filter(isLoopbackAddress)).toEqual([]);
  });
});
