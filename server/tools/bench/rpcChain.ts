/**
 * Fills both chains in the JSON-RPC benchmark: contracts with loops, a hundred blocks with one token transfer each, a
 * block with a hundred transactions, and a payment. Both sides get the same signed transactions.
 */

import {
  encodeFunctionData,
  getContractAddress,
  type Hex,
  hexToSignature,
  numberToHex,
  type PrivateKeyAccount,
} from "viem";
import { tokenAbi } from "@/lib/abi/token";
import { pause } from "@/lib/pause";
import { toTransferAuthorizationData } from "@/lib/x402/typedData";
import { chainId, token, tokenEntry } from "@/server/tools/bench/exactTerms";
import type { RpcSide } from "@/server/tools/bench/rpcSides";
import { payee, payers } from "@/server/tools/bench/sides";

export type BenchChain = {
  /** Contracts that run a loop. Their input is the number of iterations. */
  loops: { hash: Hex; arithmetic: Hex; memory: Hex };
  /**
   * The first of a hundred blocks that have one token transfer each. `transfer` is one of those transfers, and
   * `transferBlock` is its block.
   */
  firstTransferBlock: number;
  transfer: Hex;
  transferBlock: number;
  /** A block with a hundred transactions. */
  fullBlock: number;
  /** A mined EIP-3009 transfer. */
  payment: Hex;
  /** Calldata for an EIP-3009 transfer that has not been sent. */
  openPayment: Hex;
};

export const transferBlocks = 100;
export const fullBlockTransactions = 100;
const patienceMs = 60_000;

/**
 * Creates init code for a contract that runs the body in a loop. The first word of the calldata is the number of
 * iterations. The body must leave the stack as it found it.
 */
function toLoop(before: string, body: string): Hex {
  const start = `5f35${before}`;
  const jumpDestination = (start.length / 2).toString(16).padStart(2, "0");
  const runtime = `${start}5b${body}600190038060${jumpDestination}5700`;
  const size = (runtime.length / 2).toString(16).padStart(2, "0");
  return `0x60${size}8060095f395ff3${runtime}`;
}

/** When a body starts, the number of remaining iterations is on top of the stack. */
const loops = {
  /** hashes a word, again and again */
  hash: toLoop("", "60205f205f52"),
  /** computes x = x * x + 7, starting from a word that uses all bits */
  arithmetic: toLoop(`7f${"a7".repeat(32)}90`, "90800260070190"),
  /** stores the count somewhere in 4 kB and loads it again */
  memory: toLoop("", "8080610fff165280610fff165150"),
};

export type Fees = { nonce: number; gas: bigint };

export function signCall(
  account: PrivateKeyAccount,
  call: { to?: Hex; data?: Hex; value?: bigint } & Fees,
): Promise<Hex> {
  return account.signTransaction({
    type: "eip1559",
    chainId,
    maxFeePerGas: 100_000_000_000n,
    maxPriorityFeePerGas: 1_000_000_000n,
    ...call,
  });
}

export function toTransferData(units: bigint, to: Hex = payee): Hex {
  return encodeFunctionData({ abi: tokenAbi, functionName: "transfer", args: [to, units] });
}

/** Creates calldata for an EIP-3009 transfer of one cent. Different salts give different transfers. */
export async function signPaymentData(payer: PrivateKeyAccount, salt: number): Promise<Hex> {
  const [value, validAfter, validBefore, nonce] = [10_000n, 0n, 2n ** 40n, numberToHex(salt, { size: 32 })];
  const authorization = {
    from: payer.address,
    to: payee,
    value: String(value),
    validAfter: String(validAfter),
    validBefore: String(validBefore),
    nonce,
  };
  const data = toTransferAuthorizationData({ ...tokenEntry.eip712, chainId, asset: token }, authorization);
  const signature = await payer.signTypedData(data as never);
  const { r, s, yParity } = hexToSignature(signature);
  return encodeFunctionData({
    abi: tokenAbi,
    functionName: "transferWithAuthorization",
    args: [payer.address, payee, value, validAfter, validBefore, nonce, 27 + yParity!, r, s],
  });
}

/** Accounts that fill the chain. The remaining accounts are for the measurements. */
const [deployer, mover, crowd, relayer] = payers as [
  PrivateKeyAccount,
  PrivateKeyAccount,
  PrivateKeyAccount,
  PrivateKeyAccount,
];

export { deployer };
export const senders = payers.slice(4);

/** Fills the chain. Throws if a transaction fails or is mined in the wrong block. */
export async function fillChain(side: RpcSide): Promise<BenchChain> {
  const deployed: Hex[] = [];
  for (const [nonce, init] of Object.values(loops).entries()) {
    await sendMined(side, await signCall(deployer, { data: init, nonce, gas: 500_000n }));
    deployed.push(getContractAddress({ from: deployer.address, nonce: BigInt(nonce) }).toLowerCase() as Hex);
  }
  const [hash, arithmetic, memory] = deployed as [Hex, Hex, Hex];
  const transfers: { hash: Hex; block: number }[] = [];
  for (let nonce = 0; nonce < transferBlocks; nonce++) {
    const raw = await signCall(mover, { to: token, data: toTransferData(1n), nonce, gas: 100_000n });
    transfers.push(await sendMined(side, raw));
  }
  const raws: Hex[] = [];
  for (let nonce = 0; nonce < fullBlockTransactions; nonce++) {
    raws.push(await signCall(crowd, { to: token, data: toTransferData(1n), nonce, gas: 100_000n }));
  }
  const fullBlock = Number(await side.rpc("eth_blockNumber", [])) + 1;
  await side.mineTogether(raws);
  await waitForNonce(side, crowd.address, fullBlockTransactions);
  const count = await side.rpc("eth_getBlockTransactionCountByNumber", [numberToHex(fullBlock)]);
  if (Number(count) !== fullBlockTransactions)
    throw new Error(`${side.name} mined ${count} transactions in the block.`);
  const data = await signPaymentData(crowd, 1);
  const payment = await sendMined(side, await signCall(relayer, { to: token, data, nonce: 0, gas: 200_000n }));
  const first = transfers[0]!;
  if (transfers.at(-1)!.block - first.block !== transferBlocks - 1)
    throw new Error("Two transfers are in the same block.");
  const middle = transfers[transferBlocks / 2]!;
  return {
    loops: { hash, arithmetic, memory },
    firstTransferBlock: first.block,
    transfer: middle.hash,
    transferBlock: middle.block,
    fullBlock,
    payment: payment.hash,
    openPayment: await signPaymentData(crowd, 2),
  };
}

async function sendMined(side: RpcSide, raw: Hex): Promise<{ hash: Hex; block: number }> {
  const hash = (await side.rpc("eth_sendRawTransaction", [raw])) as Hex;
  for (const until = Date.now() + patienceMs; Date.now() < until; await pause(2)) {
    const receipt = (await side.rpc("eth_getTransactionReceipt", [hash])) as { status: Hex; blockNumber: Hex } | null;
    if (!receipt) continue;
    if (receipt.status !== "0x1") throw new Error(`${hash} failed on ${side.name}.`);
    return { hash, block: Number(receipt.blockNumber) };
  }
  throw new Error(`${hash} was not mined on ${side.name}.`);
}

/** Waits until this many of the sender's transactions have been mined. */
async function waitForNonce(side: RpcSide, address: Hex, nonce: number): Promise<void> {
  for (const until = Date.now() + patienceMs; Date.now() < until; await pause(2)) {
    if (Number(await side.rpc("eth_getTransactionCount", [address, "latest"])) >= nonce) return;
  }
  throw new Error(`The transactions of ${address} were not mined on ${side.name}.`);
}
