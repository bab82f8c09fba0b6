/** Tests how addresses are formatted for pages, with the examples from EIP-55. */
import { expect, it } from "vitest";
import { toChecksumAddress, toShortHex } from "@/lib/address";

it.each([
  "0x52908400098527886E0F7030069857D2E4169EE7",
  "0xde709f2102306220921060314715629080e2fb77",
  "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
  "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
])("gives %s its checksum from any letter case", (address) => {
  expect(toChecksumAddress(address.toLowerCase())).toBe(address);
  expect(toChecksumAddress(`0x${address.slice(2).toUpperCase()}`)).toBe(address);
});

it("returns text that is not an address unchanged", () => {
  expect(toChecksumAddress("0xabc")).toBe("0xabc");
});

it("shortens addresses and hashes in one way", () => {
  expect(toShortHex("0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed")).toBe("0x5aAe…eAed");
  expect(toShortHex(`0xabcd${"0".repeat(56)}beef`)).toBe("0xabcd…beef");
  expect(toShortHex("0x1234")).toBe("0x1234");
});
