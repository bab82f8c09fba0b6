import type { Hex } from "@/lib/x402/types";

/** Whether the value is 20 bytes of hex. Any letter case passes: the checksum is not verified. */
export function isAddress(value: unknown): value is Hex {
  return typeof value === "string" && /^0x[0-9a-fA-F]{40}$/.test(value);
}

/** What to tell users to enter if `isAddress` is false. */
export const addressHint = "Addresses are 0x followed by 40 hex characters.";

/** Converts an address to lowercase, which every library accepts. Mixed case would be validated as a checksum. */
export function toLowerAddress(address: string): Hex {
  return address.toLowerCase() as Hex;
}
