/** Compares storage layouts with the compiler's, and tests that slots are named where Solidity places the values. */
import { encodeAbiParameters, type Hex, keccak256, pad, stringToHex } from "viem";
import { describe, expect, it } from "vitest";
import { nameByLayout, readPacked, readString, readText, storageLayouts } from "@/lib/decode/storageLayouts";
import plainToken from "@/server/contracts/artifacts/PlainToken.json" with { type: "json" };
import token from "@/server/contracts/artifacts/Token.json" with { type: "json" };

const payer = `0x${"aa".repeat(20)}` as Hex;
const nonce = `0x${"17".repeat(32)}` as Hex;
const bytes32 = [{ type: "bytes32" }, { type: "bytes32" }] as const;
const entry = (key: Hex, slot: Hex) => keccak256(encodeAbiParameters(bytes32, [pad(key), pad(slot)]));

describe("storage layouts", () => {
  it.each([
    ["Token", token.storageLayout],
    ["PlainToken", plainToken.storageLayout],
  ] as const)("%s has the compiler's slots, offsets and types", (name, compiled) => {
    const toSolidity = (type: string): string =>
      type
        .replace(/^t_/, "")
        .replace("_storage", "")
        .replace(/^mapping\((?:t_\w+,)(.*)\)$/, (_, value: string) => toSolidity(value));
    expect(
      storageLayouts[name].map(({ name, slot, type, ...rest }) => ({
        name,
        slot,
        offset: "offset" in rest ? rest.offset : 0,
        type,
      })),
    ).toEqual(
      Object.entries(compiled).map(([name, { slot, offset, type }]) => ({
        name,
        slot,
        offset,
        type: toSolidity(type),
      })),
    );
  });

  it("names variables that share a slot, and entries of mappings for the given keys", () => {
    const named = nameByLayout(storageLayouts.Token, [payer], [[payer, nonce]]);
    const owner = named.get(pad("0x"));
    expect(owner?.kind === "variables" && owner.variables.map(({ name }) => name)).toEqual(["owner", "decimals"]);
    expect(named.get(entry(payer, "0x04"))).toMatchObject({ variable: { name: "balanceOf" }, keys: [pad(payer)] });
    expect(named.get(entry(nonce, entry(payer, "0x08")))).toMatchObject({
      variable: { name: "authorizationState" },
      keys: [pad(payer), nonce],
    });
    expect(named.get(entry(nonce, "0x04"))).toBeUndefined();
    expect(named.get(keccak256(pad("0x01")))).toMatchObject({ kind: "text", variable: { name: "name" }, part: 0 });
  });

  it("reads packed variables, short strings and long strings", () => {
    const [owner, decimals] = storageLayouts.PlainToken;
    const word = `0x${"00".repeat(11)}06${payer.slice(2)}`;
    expect(readPacked(word, owner!)).toBe(BigInt(payer));
    expect(readPacked(word, decimals!)).toBe(6n);
    expect(readString(`${stringToHex("USDC", { size: 31 })}08`)).toEqual({ text: "USDC" });
    expect(readString(pad("0x51"))).toEqual({ bytes: 40 });
    expect(readString(pad("0x50"))).toBeUndefined();
    expect(readText(stringToHex("A token with a name of some word"))).toBe("A token with a name of some word");
  });
});
