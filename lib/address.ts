import type { Hex } from "@/lib/x402/types";

/** Whether the value is 20 bytes in hexadecimal, in whatever case: no checksum is asked for. */
export function isAddress(value: unknown): value is Hex {
  return typeof value === "string" && /^0x[0-9a-fA-F]{40}$/.test(value);
}
