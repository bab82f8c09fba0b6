/** Tests the keys of storage slots: those of compiled Solidity code, found on a chain, and hashes in Vyper's order. */
import solc from "solc";
import { type Abi, concatHex, encodeFunctionData, type Hex, keccak256, numberToHex, pad, stringToHex } from "viem";
import { afterAll, beforeAll, expect, it } from "vitest";
import { tokenAbi } from "@/lib/abi/token";
import { addresses, network, openTestChain, type TestChain } from "@/server/chain/testing/testChain";
import type { Address, Hash } from "@/server/ethereum/types";
import { findSlotKeys, type Preimages, toSlotKeys } from "@/server/explorer/slotKeys";

const source = `pragma solidity ^0.8.0;
contract Shapes {
  struct Point { uint256 x; uint256 y; }
  uint256 plain;
  mapping(address => mapping(uint256 => uint256)) nested;
  mapping(uint256 => Point) points;
  mapping(string => uint256) byName;
  uint256[] list;
  mapping(address => uint256[]) lists;
  function write(address owner) external {
    plain = 1;
    nested[owner][7] = 2;
    points[9].y = 3;
    byName["fee"] = 4;
    list.push(5);
    list.push(6);
    lists[owner].push(8);
  }
}`;

const owner = `0x${"a7".repeat(20)}` as Address;
const toWord = (value: number) => numberToHex(value, { size: 32 });
const word = (hex: Hex) => pad(hex);
const [sender, receiver] = addresses as [Address, Address];
const token = network.tokens[0]!.address.toLowerCase() as Address;

let test: TestChain;
let contract: Address;

beforeAll(async () => {
  test = await openTestChain();
  let nonce = 0;
  const mine = async (transaction: { to?: Address; data: Hex }) =>
    test.mine(await test.sign(0, { gas: 900_000n, to: undefined, ...transaction, nonce: nonce++ }));
  const { abi, bytecode } = compile();
  contract = (await mine({ data: bytecode })).receipt.contractAddress!;
  await mine({ to: contract, data: encodeFunctionData({ abi, functionName: "write", args: [owner] }) });
  await mine({
    to: token,
    data: encodeFunctionData({ abi: tokenAbi, functionName: "transfer", args: [receiver, 9n] }),
  });
});
afterAll(() => test?.close());

function compile(): { abi: Abi; bytecode: Hex } {
  const outputSelection = { "*": { "*": ["abi", "evm.bytecode.object"] } };
  const input = { language: "Solidity", sources: { "Shapes.sol": { content: source } }, settings: { outputSelection } };
  const { abi, evm } = JSON.parse(solc.compile(JSON.stringify(input))).contracts["Shapes.sol"].Shapes;
  return { abi, bytecode: `0x${evm.bytecode.object}` };
}

async function listKeys(address: Address, block = test.chain.head().number) {
  const slots = await test.chain.store.listSlots(address, block, { limit: 100 });
  const found = await findSlotKeys(
    test.chain,
    address,
    slots.map(({ slot }) => slot),
    block,
  );
  return slots
    .map(({ slot, value }) => ({ value: Number(value), ...found.find((keys) => keys.slot === slot) }))
    .toSorted((a, b) => a.value - b.value);
}

it("finds the keys of mappings, and the place in structs, arrays and arrays in mappings", async () => {
  const rows = (await listKeys(contract)).filter(({ base }) => base !== undefined);
  expect(rows.map(({ slot: _, ...row }) => row)).toEqual([
    // The length of lists[owner] is in the mapping's entry.
    { value: 1, base: toWord(5), keys: [word(owner)], isElement: false, offset: 0 },
    { value: 2, base: toWord(1), keys: [word(owner), toWord(7)], isElement: false, offset: 0 },
    { value: 3, base: toWord(2), keys: [toWord(9)], isElement: false, offset: 1 },
    { value: 4, base: toWord(3), keys: [stringToHex("fee")], isElement: false, offset: 0 },
    { value: 5, base: toWord(4), keys: [], isElement: true, offset: 0 },
    { value: 6, base: toWord(4), keys: [], isElement: true, offset: 1 },
    { value: 8, base: toWord(5), keys: [word(owner)], isElement: true, offset: 0 },
  ]);
});

it("omits variables, and slots that only the genesis block wrote", async () => {
  const variables = (await listKeys(contract)).filter(({ base }) => base === undefined);
  expect(variables.map(({ value }) => value)).toEqual([1, 2]);
  expect((await listKeys(token, 0)).filter(({ base }) => base !== undefined)).toEqual([]);
  const owners = (await listKeys(token)).flatMap(({ keys }) => keys ?? []);
  expect(owners.toSorted()).toEqual([sender, receiver].map(word).toSorted());
});

it("omits slots if their blocks would use more gas than a call may", async () => {
  const { number, gasUsed } = test.chain.head();
  const slots = (await test.chain.store.listSlots(token, number, { limit: 100 })).map(({ slot }) => slot);
  const find = (callGas: bigint) => findSlotKeys({ ...test.chain, callGas }, token, slots, number);
  expect(await find(gasUsed)).toHaveLength(2);
  expect(await find(gasUsed - 1n)).toEqual([]);
});

it("recognizes Vyper's order, in which the slot comes before the key", () => {
  const outer = concatHex([toWord(3), word(owner)]);
  const inner = concatHex([keccak256(outer), word(sender)]);
  const preimages: Preimages = new Map([outer, inner].map((preimage) => [keccak256(preimage) as Hash, preimage]));
  const origins = [...preimages.keys()].toSorted();
  expect(toSlotKeys(keccak256(inner), preimages, origins)).toEqual({
    slot: keccak256(inner),
    base: toWord(3),
    keys: [word(owner), word(sender)],
    isElement: false,
    offset: 0,
  });
  expect(toSlotKeys(toWord(3), preimages, origins)).toBeUndefined();
});
