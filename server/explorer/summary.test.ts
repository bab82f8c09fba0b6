import { encodeFunctionData, erc20Abi } from "viem";
import { expect, it } from "vitest";
import { findCalledTransfer } from "@/server/explorer/summary";

const token = "0x00000000000000000000000000000000000000aa";
const sender = "0x00000000000000000000000000000000000000b1";
const owner = "0x00000000000000000000000000000000000000b2";
const recipient = "0x00000000000000000000000000000000000000b3";

it("reads the transfer that a call to a token makes", () => {
  const abi = erc20Abi;
  const transfer = encodeFunctionData({ abi, functionName: "transfer", args: [recipient, 250n] });
  const moved = { token, to: recipient, amount: "0xfa", others: "0x0" };
  expect(findCalledTransfer({ from: sender, to: token, input: transfer })).toEqual({ ...moved, from: sender });
  const transferFrom = encodeFunctionData({ abi, functionName: "transferFrom", args: [owner, recipient, 250n] });
  expect(findCalledTransfer({ from: sender, to: token, input: transferFrom })).toEqual({ ...moved, from: owner });
});

it("finds no transfer in other calls, in truncated ones, and in deployments", () => {
  const approve = encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [recipient, 250n] });
  const transfer = encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [recipient, 250n] });
  expect(findCalledTransfer({ from: sender, to: token, input: approve })).toBeNull();
  expect(findCalledTransfer({ from: sender, to: token, input: transfer.slice(0, 40) as `0x${string}` })).toBeNull();
  expect(findCalledTransfer({ from: sender, to: token, input: "0x" })).toBeNull();
  expect(findCalledTransfer({ from: sender, input: transfer })).toBeNull();
});
