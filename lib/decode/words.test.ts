import { encodeAbiParameters, encodeErrorResult, parseAbi, toHex } from "viem";
import { expect, it } from "vitest";
import { createDecoder } from "@/lib/decode/decoder";
import { toFailure } from "@/lib/decode/failure";
import { findShownAnswer } from "@/lib/decode/words";
import { viewQuery } from "@/lib/query/explorerQueries";

const encode = (text: string) => encodeAbiParameters([{ type: "string" }], [text]);

it("removes direction marks from a token's name and symbol and limits their length", () => {
  expect(findShownAnswer(encode("US\u202eDC\u2069"), 16)).toBe("USDC");
  expect(findShownAnswer(toHex("M\u200eKR", { size: 32 }), 16)).toBe("MKR");
  expect(findShownAnswer(encode("x".repeat(100_000)), 16)).toBe(`${"x".repeat(15)}…`);
  expect(findShownAnswer(encode("€".repeat(1_000)), 16)).toBe(`${"€".repeat(15)}…`);
  expect(findShownAnswer(encode("\u202e"), 16)).toBeUndefined();
  expect(findShownAnswer("0x", 16)).toBeUndefined();
});

it("keeps only the start of an eight-megabyte token name in a page", async () => {
  const name = encode("x".repeat(8_000_000));
  const source = { network: "testnet", request: async () => name as never };
  const { queryFn } = viewQuery(source, `0x${"11".repeat(20)}`, "0x06fdde03");
  const kept = await (queryFn as () => Promise<string>)();
  expect(kept.length).toBeLessThan(5_000);
  expect(findShownAnswer(kept, 100)).toBe(`${"x".repeat(99)}…`);
});

it("removes direction marks from a revert reason and a decoded string", () => {
  const abi = parseAbi(["error Error(string)", "function setName(string name)"]);
  const args = ["paid\u202e \u2066nothing\u0000"] as const;
  const data = encodeErrorResult({ abi, errorName: "Error", args });
  expect(toFailure(data)).toEqual({ kind: "text", text: "paid nothing" });
  const [reading] = createDecoder([{ name: "Any", abi }]).decode({ kind: "error", data });
  expect(reading?.values[0]?.value).toBe("paid nothing");
});
