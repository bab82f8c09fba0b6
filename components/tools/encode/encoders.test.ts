/** Tests every encoder with its example, and with values from the specifications. */
import { privateKeyToAccount } from "viem/accounts";
import { describe, expect, it } from "vitest";
import { toFault } from "@/components/tools/encode/encoder";
import { encoders } from "@/components/tools/encode/encoders";

const account = privateKeyToAccount(`0x${"11".repeat(32)}`);

async function run(id: string, texts: Record<string, string> = {}): Promise<Record<string, string>> {
  const encoder = encoders.find((each) => each.id === id);
  if (!encoder) throw new Error(`There is no encoder ${id}.`);
  const examples = Object.fromEntries(encoder.fields.map(({ name, example }) => [name, example]));
  const results = await encoder.run({ ...examples, ...texts });
  return Object.fromEntries(results.map(({ label, value }) => [label, value]));
}

it.each(encoders.map(({ id }) => id))("shows results for the example of %s", async (id) => {
  expect(Object.values(await run(id)).every((value) => value.length > 0)).toBe(true);
});

describe("ABI", () => {
  it("decodes the call that it encoded", async () => {
    const call = await run("encode-call");
    expect(call.Selector).toBe("0xa9059cbb");
    expect(await run("decode-call", { data: call.Calldata! })).toEqual({
      "to (address)": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
      "amount (uint256)": "10000",
    });
  });

  it("decodes a call of a common function without its signature", async () => {
    expect(Object.keys(await run("decode-call", { function: "" }))).toEqual(["0 (address)", "1 (uint256)"]);
  });

  it("opens the decoder with what it encoded", async () => {
    for (const { id, run: encode, fields } of encoders.filter((each) => /^(encode|rlp-encode)/.test(each.id))) {
      const [result] = await encode(Object.fromEntries(fields.map(({ name, example }) => [name, example])));
      const decoder = encoders.find((each) => each.id === result?.opens?.tool);
      expect(Object.keys(result?.opens?.texts ?? {}), id).toEqual(decoder?.fields.map(({ name }) => name));
    }
  });

  it("keeps large integers exact, and encodes tuples and lists", async () => {
    const { Calldata } = await run("encode-call", {
      function: "pay((address to, uint256 amount)[] payments, bool last)",
      values: `[[["${account.address}", 123456789012345678901234567890]], true]`,
    });
    expect(Calldata).toContain(123456789012345678901234567890n.toString(16));
  });

  it("packs parameters", async () => {
    expect((await run("encode-parameters", { types: "uint8, string", values: '[1, "ab"]' })).Packed).toBe("0x016162");
  });

  it("decodes an event", async () => {
    expect(await run("decode-event")).toMatchObject({ value: "10000" });
  });

  it("shows selectors and topics of the canonical signature", async () => {
    expect(
      await run("selectors", { signature: "event Transfer(address indexed from, address to, uint v)" }),
    ).toMatchObject({
      "Canonical signature": "Transfer(address,address,uint256)",
      Topic: "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef",
    });
  });
});

it("hashes, and encodes RLP both ways", async () => {
  expect((await run("hashes", { input: "0x" })).keccak256).toBe(
    "0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470",
  );
  const { RLP } = await run("rlp-encode");
  expect(RLP).toBe("0xca83636174c583646f6780");
  expect(JSON.parse((await run("rlp-decode", { data: RLP! })).Items!)).toEqual(["0x636174", ["0x646f67", "0x"]]);
});

it("computes the slot of ERC-7201's example", async () => {
  expect((await run("slots"))["ERC-7201 slot"]).toBe(
    "0x183a6125c38840424c4a85fa12bab2ab606c4b6d0e7cc73c0c06ba5300eab500",
  );
});

it("converts units", async () => {
  expect(await run("units")).toMatchObject({ wei: "1500000000", gwei: "1.5", "Tokens with 6 decimals": "1500" });
});

it("recovers who signed typed data and messages", async () => {
  const typed = JSON.parse(encoders.find(({ id }) => id === "typed-data")!.fields[0]!.example);
  expect((await run("typed-data", { signature: await account.signTypedData(typed) })).Signer).toBe(account.address);
  expect((await run("message", { signature: await account.signMessage({ message: "hello" }) })).Signer).toBe(
    account.address,
  );
});

it("computes the addresses of new contracts, with EIP-1014's example", async () => {
  expect((await run("create")).Contract).toBe("0x5FbDB2315678afecb367f032d93F642f64180aa3");
  const zero = "0x0000000000000000000000000000000000000000";
  expect((await run("create2", { deployer: zero, salt: "0", code: "0x00" })).Contract).toBe(
    "0x4D1A2e2bB4F88F0250f26Ffff098B0b30B26BF38",
  );
});

it.each([
  ["encode-call", { values: "[1]" }, "Expected 2 values, but got 1."],
  ["encode-call", { values: "{" }, 'The arguments must be valid JSON, for example ["0x…", 10000].'],
  ["encode-parameters", { types: "uint8", values: "[256]" }, "values[0] doesn’t fit in uint8."],
  ["encode-parameters", { types: "uint8", values: "[1.5]" }, "values[0] must be a whole number."],
  ["decode-call", { data: "0x12345678" }, "The calldata starts with 0x12345678"],
  ["decode-call", { function: "", data: "0x12345678" }, "Enter the function: 0x12345678"],
  ["decode-call", { data: "0xabc" }, "Calldata must be hex with an even number of digits."],
  ["rlp-decode", { data: "0xc4" }, "."],
  ["checksum", { address: "0x12" }, "This is not an address."],
  ["units", { unit: "pound" }, "The unit must be wei"],
  ["units", { amount: "one" }, "is not a decimal number."],
  ["typed-data", { data: "{}" }, "Typed data must have types"],
  ["typed-data", { signature: "0x12" }, "."],
  ["create2", { salt: "x" }, "The salt must be a number"],
])("says in one sentence what is wrong with %s(%o)", async (id, texts, says) => {
  const fault = await run(id, texts as Record<string, string>).then(
    () => "no error",
    (error: unknown) => toFault(error),
  );
  expect(fault).toContain(says);
  expect(fault).toMatch(/^[^\n]+[.!?]$/);
});
