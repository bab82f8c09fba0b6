/** Tests that a slot gets a role only if the transaction's logs confirm it. */
import { encodeAbiParameters, type Hex, keccak256, pad } from "viem";
import { describe, expect, it } from "vitest";
import { findSlotRole, listBitmapPairs, listKeyPairs, toContractEvents } from "@/lib/decode/slotRoles";
import { nameSlots } from "@/lib/decode/slots";
import { noAddress } from "@/lib/decode/transfers";

const token = `0x${"cc".repeat(20)}` as Hex;
const alice = `0x${"aa".repeat(20)}` as Hex;
const bob = `0x${"bb".repeat(20)}` as Hex;
const nonce = `0x${"7e".repeat(32)}` as Hex;
const transfer = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const approval = "0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925";
const authorizationUsed = "0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5";
const toLog = (topics: string[], data: string = "0x") => ({ address: token, topics, data, logIndex: "0x0" });
const word = (value: bigint) => pad(`0x${value.toString(16)}`);
const bytes32 = [{ type: "bytes32" }, { type: "bytes32" }] as const;
const entry = (key: Hex, slot: Hex) => keccak256(encodeAbiParameters(bytes32, [pad(key), pad(slot)]));

const paid = [toLog([authorizationUsed, pad(alice), nonce]), toLog([transfer, pad(alice), pad(bob)], word(5n))];

function find(logs: typeof paid, slot: Hex, [before, after]: [bigint, bigint], keys: string[] = [alice, bob]) {
  const name = nameSlots([slot], keys, listKeyPairs(logs, [])).get(slot);
  return findSlotRole(name, { before, after }, toContractEvents(logs, token));
}

describe("findSlotRole", () => {
  it("finds the balances that a transfer changed, and no others", () => {
    expect(find(paid, entry(alice, "0x03"), [9n, 4n])).toEqual({ kind: "balance", account: alice });
    expect(find(paid, entry(bob, "0x03"), [0n, 5n])).toEqual({ kind: "balance", account: bob });
    expect(find(paid, entry(bob, "0x03"), [0n, 6n])).toBeUndefined();
  });

  it("finds an authorization by its payer and nonce", () => {
    expect(find(paid, entry(nonce, entry(alice, "0x08")), [0n, 1n])).toEqual({
      kind: "authorization",
      payer: alice,
      nonce,
    });
  });

  it("finds an allowance and the nonce of the permit that set it", () => {
    const logs = [toLog([approval, pad(alice), pad(bob)], word(7n))];
    expect(find(logs, entry(bob, entry(alice, "0x04")), [0n, 7n])).toEqual({
      kind: "allowance",
      owner: alice,
      spender: bob,
    });
    expect(find(logs, entry(alice, "0x06"), [2n, 3n])).toEqual({ kind: "permitNonce", account: alice });
  });

  it("finds the owner of an NFT, and an account's number of them", () => {
    const logs = [toLog([transfer, pad(alice), pad(bob), word(42n)])];
    expect(find(logs, entry(word(42n), "0x02"), [BigInt(alice), BigInt(bob)], [word(42n)])).toEqual({
      kind: "owner",
      id: 42n,
    });
    expect(find(logs, entry(bob, "0x03"), [0n, 1n])).toEqual({ kind: "nftBalance", account: bob });
  });

  it("finds the supply of a minted token", () => {
    const logs = [toLog([transfer, pad(noAddress), pad(bob)], word(5n))];
    expect(find(logs, pad("0x02"), [10n, 15n])).toEqual({ kind: "supply" });
    expect(find(logs, pad("0x02"), [10n, 16n])).toBeUndefined();
  });

  it("finds the nonce that Permit2's bitmap marks as used, or the bitmap", () => {
    const slot = entry(word(0x1234n), entry(alice, "0x00"));
    const name = nameSlots([slot], [], listBitmapPairs([alice], [word(0x123456n)])).get(slot);
    const findRole = (before: bigint, after: bigint) =>
      findSlotRole(name, { before, after }, { movements: [], logs: [] }, true);
    const authorization = { kind: "authorization", payer: alice };
    expect(findRole(0n, 1n)).toEqual({ ...authorization, nonce: word(0x123400n) });
    expect(findRole(1n, 1n + 2n ** 255n)).toEqual({ ...authorization, nonce: word(0x1234ffn) });
    // Several nonces, or one that was freed.
    const bitmap = { kind: "usedNonces", account: alice, word: 0x1234n };
    expect(findRole(0n, 3n)).toEqual(bitmap);
    expect(findRole(1n, 2n)).toEqual(bitmap);
    expect(findRole(1n, 0n)).toEqual(bitmap);
  });
});
