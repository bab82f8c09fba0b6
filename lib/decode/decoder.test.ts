/**
 * Tests that the interfaces have the published selectors and topics, that decoding keeps every value, and that a result
 * is marked as a guess if it doesn't encode back to the same data.
 */
import {
  type Abi,
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionData,
  parseAbi,
  toEventSelector,
  toFunctionSelector,
} from "viem";
import { describe, expect, it } from "vitest";
import { multicall3Abi } from "@/lib/abi/multicall3";
import { createDecoder } from "@/lib/decode/decoder";
import { interfaces } from "@/lib/decode/interfaces";

const account = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
const { decode } = createDecoder(interfaces);
const transferData = encodeFunctionData({
  abi: parseAbi(["function transfer(address to, uint256 value)"]),
  args: [account, 2_500_000n],
});

/** Selectors and topics that the projects published. */
const published: Record<string, string> = {
  "0xa9059cbb": "transfer(address,uint256)",
  "0xe3ee160e": "transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)",
  "0x38ed1739": "swapExactTokensForTokens(uint256,uint256,address[],address,uint256)",
  "0x414bf389": "exactInputSingle((address,address,uint24,address,uint256,uint256,uint256,uint160))",
  "0x04e45aaf": "exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))",
  "0x3593564c": "execute(bytes,bytes[],uint256)",
  "0xac9650d8": "multicall(bytes[])",
  "0x5ae401dc": "multicall(uint256,bytes[])",
  "0x6a761202": "execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)",
  "0x8d80ff0a": "multiSend(bytes)",
  "0x765e827f": "handleOps((address,uint256,bytes,bytes,bytes32,uint256,bytes32,bytes,bytes)[],address)",
  "0x1fad948c":
    "handleOps((address,uint256,bytes,bytes,uint256,uint256,uint256,uint256,uint256,bytes,bytes)[],address)",
  "0xe9ae5c53": "execute(bytes32,bytes)",
  "0xb61d27f6": "execute(address,uint256,bytes)",
  "0x6e553f65": "deposit(uint256,address)",
  "0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62":
    "TransferSingle(address,address,address,uint256,uint256)",
  "0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822":
    "Swap(address,uint256,uint256,uint256,uint256,address)",
  "0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67":
    "Swap(address,address,int256,int256,uint160,uint128,int24)",
  "0x49628fd1471006c1482da88028e9ce4dbb080b815c9b0344d39e5a8e6ec1419f":
    "UserOperationEvent(bytes32,address,address,uint256,bool,uint256,uint256)",
  "0xdcbc1c05240f31ff3ad067ef1ee35ce4997762752e3a095284754544f4c709d7": "Deposit(address,address,uint256,uint256)",
  "0x442e715f626346e8c54381002da614f62bee8d27386535b2521ec8540898556e": "ExecutionSuccess(bytes32,uint256)",
};

describe("interfaces", () => {
  const declared = interfaces.flatMap(({ abi }) =>
    abi.flatMap((item) =>
      item.type === "event" ? [toEventSelector(item)] : item.type === "function" ? [toFunctionSelector(item)] : [],
    ),
  );
  it.each(Object.entries(published))("declare %s", (selector) => {
    expect(declared).toContain(selector);
  });
});

describe("calls", () => {
  it("decodes arguments and results", () => {
    const [reading] = decode({ kind: "call", data: transferData, result: `0x${"1".padStart(64, "0")}` });
    expect(reading).toMatchObject({
      signature: "transfer(address,uint256)",
      interfaces: ["ERC-20"],
      guess: false,
      values: [
        { name: "to", type: "address", value: account },
        { name: "value", type: "uint256", value: "2500000" },
      ],
      results: [{ type: "bool", value: "true" }],
    });
  });

  it("decodes the calls inside a multicall", () => {
    const data = encodeFunctionData({
      abi: multicall3Abi,
      functionName: "aggregate3",
      args: [[{ target: account, allowFailure: true, callData: transferData }]],
    });
    const [reading] = decode({ kind: "call", data });
    const calls = reading?.values[0]?.value as { value: { name: string; call?: { signature: string } }[] }[];
    expect(calls[0]?.value.map(({ name }) => name)).toEqual(["target", "allowFailure", "callData"]);
    expect(calls[0]?.value[2]?.call?.signature).toBe("transfer(address,uint256)");
  });

  it("marks a reading as a guess if encoding it again gives different data", () => {
    expect(decode({ kind: "call", data: `${transferData}00` })[0]?.guess).toBe(true);
    expect(decode({ kind: "call", data: transferData })[0]?.guess).toBe(false);
  });

  it("returns no readings for data that matches no ABI", () => {
    expect(decode({ kind: "call", data: "0xdeadbeef" })).toEqual([]);
    expect(decode({ kind: "call", data: transferData.slice(0, 40) })).toEqual([]);
    expect(decode({ kind: "call", data: "0x" })).toEqual([]);
    expect(decode({ kind: "event", topics: [], data: "0x" })).toEqual([]);
  });
});

describe("events and errors", () => {
  it("tells ERC-20 and ERC-721 transfers apart by their indexed parameters", () => {
    const abi = parseAbi(["event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)"]);
    const topics = encodeEventTopics({ abi, args: { from: account, to: account, tokenId: 42n } }) as string[];
    const [nft, ...others] = decode({ kind: "event", topics, data: "0x" });
    expect(nft).toMatchObject({ interfaces: ["ERC-721"], values: [{}, {}, { name: "tokenId", value: "42" }] });
    expect(others).toEqual([]);
    const [token] = decode({ kind: "event", topics: topics.slice(0, 3), data: `0x${"2a".padStart(64, "0")}` });
    expect(token).toMatchObject({ interfaces: ["ERC-20"], values: [{}, {}, { name: "value", value: "42" }] });
  });

  it("decodes custom errors and the compiler's built-in errors", () => {
    const data = encodeAbiParameters(
      [{ type: "address" }, { type: "uint256" }, { type: "uint256" }],
      [account, 1n, 2n],
    );
    expect(decode({ kind: "error", data: `0xe450d38c${data.slice(2)}` })[0]?.name).toBe("ERC20InsufficientBalance");
    expect(decode({ kind: "error", data: `0x4e487b71${"11".padStart(64, "0")}` })[0]?.values[0]?.value).toBe("17");
  });
});

it("accepts an ABI that omits empty inputs and outputs", () => {
  const sparse = [
    { type: "function", name: "transfer", inputs: [{ type: "address" }, { type: "uint256" }] },
    { type: "function", name: "pause" },
  ] as unknown as Abi;
  const decoder = createDecoder([{ name: "Sparse", abi: sparse }]);
  const input = `0xa9059cbb${"11".padStart(64, "0")}${"22".padStart(64, "0")}`;
  const [reading] = decoder.decode({ kind: "call", data: input, result: `0x${"01".padStart(64, "0")}` });
  expect(reading).toMatchObject({ name: "transfer", guess: false });
  expect(reading?.results).toBeUndefined();
  expect(decoder.findFunction("0x8456cb59")?.signature).toBe("pause()");
});
