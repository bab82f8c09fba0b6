/** Tests proxies that are changed to use another Permit2 address: which code changes and which doesn't. */
import { describe, expect, it } from "vitest";
import { canonicalContracts } from "@/lib/contracts";
import exactProxy from "@/server/contracts/artifacts/X402ExactPermit2Proxy.json" with { type: "json" };
import uptoProxy from "@/server/contracts/artifacts/X402UptoPermit2Proxy.json" with { type: "json" };
import { movePermit2 } from "@/server/contracts/movePermit2";
import type { Hex } from "@/server/ethereum/types";

const elsewhere: Hex = `0x${"c5".repeat(20)}`;
/** The compiler pushes the address without its leading zero bytes. */
const address = canonicalContracts.permit2.slice(12).toLowerCase();
const places = (code: string, text: string) => [...code.matchAll(new RegExp(text, "g"))].map(({ index }) => index);

describe.each([
  ["exact", exactProxy.runtime],
  ["upto", uptoProxy.runtime],
])("the %s proxy moved to another Permit2", (_, runtime) => {
  const moved = movePermit2(runtime as Hex, elsewhere);

  it("contains the new address once and no longer contains the old one", () => {
    expect(places(runtime, address).length).toBeGreaterThan(1);
    expect(places(moved, address)).toEqual([]);
    expect(places(moved, elsewhere.slice(2))).toHaveLength(1);
  });

  it("is otherwise unchanged, at the same offsets", () => {
    const pushes = places(runtime, `6e${address}`);
    const cover = (code: string) =>
      pushes.reduce((covered, at) => covered.slice(0, at) + "-".repeat(32) + covered.slice(at + 32), code);
    expect(cover(moved).slice(0, runtime.length)).toBe(cover(runtime));
  });
});

it("ignores bytes that only look like an address push", () => {
  // This is a PUSH16. Its data starts with the opcode of PUSH15.
  const inside: Hex = `0x6f6e${address}50`;
  expect(() => movePermit2(inside, elsewhere)).toThrow("does not push Permit2's address");
  expect(movePermit2(`${inside}6e${address}`, elsewhere).slice(0, inside.length)).toBe(inside);
});
