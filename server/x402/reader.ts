/**
 * Reads of one network over EIP-1193. A revert is an answer, anything else that fails is a NetworkError: the network is
 * to blame then, never the payment.
 */

import type { ContractFunctionReturnType } from "viem";
import {
  type Abi,
  type ContractFunctionArgs,
  type ContractFunctionName,
  decodeFunctionResult,
  encodeFunctionData,
} from "viem";
import type { Hex } from "@/lib/x402/types";
import { type Eip1193Request, findRevert, findRpcFailure, NetworkError, type Revert } from "@/server/x402/jsonRpcError";

export type Call = { from?: Hex; to: Hex; data: Hex };
export type CallOutcome = { ok: true; output: Hex } | { ok: false; revert: Revert };
export type GasOutcome = { ok: true; gas: bigint } | { ok: false; revert: Revert };
export type WireLog = { address: Hex; topics: Hex[]; data: Hex; transactionHash: Hex };
export type WireReceipt = { status: Hex; transactionHash: Hex; blockNumber: Hex; logs: WireLog[] } & {
  gasUsed?: Hex;
  effectiveGasPrice?: Hex;
};

export type Reader = {
  request: Eip1193Request;
  /** Runs a call on the latest block. */
  call(call: Call): Promise<CallOutcome>;
  estimateGas(call: Call): Promise<GasOutcome>;
  /** A view function's value; undefined where the contract reverts or answers with something else. */
  findValue<const A extends Abi, Name extends ContractFunctionName<A, "view">>(
    to: Hex,
    abi: A,
    functionName: Name,
    args: ContractFunctionArgs<A, "view", Name>,
  ): Promise<ContractFunctionReturnType<A, "view", Name> | undefined>;
  hasCode(address: Hex): Promise<boolean>;
  findReceipt(hash: Hex): Promise<WireReceipt | undefined>;
  findInput(hash: Hex): Promise<Hex | undefined>;
  getBlockNumber(): Promise<bigint>;
};

/** Builds a reader over a request function. Its methods throw NetworkError. */
export function createReader(request: Eip1193Request): Reader {
  async function ask(method: string, params: unknown[]): Promise<unknown> {
    try {
      return await request({ method, params });
    } catch (error) {
      throw new NetworkError(`${method} failed.`, { cause: error });
    }
  }

  async function askForRevert(method: string, params: unknown[]): Promise<{ answer: unknown } | { revert: Revert }> {
    try {
      return { answer: await ask(method, params) };
    } catch (error) {
      const failure = findRpcFailure(error);
      const revert = failure && findRevert(failure);
      if (!revert) throw error;
      return { revert };
    }
  }

  const reader: Reader = {
    request,
    async call(call) {
      const outcome = await askForRevert("eth_call", [call, "latest"]);
      return "revert" in outcome ? { ok: false, ...outcome } : { ok: true, output: toHex(outcome.answer) };
    },
    async estimateGas(call) {
      const outcome = await askForRevert("eth_estimateGas", [call]);
      return "revert" in outcome ? { ok: false, ...outcome } : { ok: true, gas: BigInt(toHex(outcome.answer)) };
    },
    async findValue(to, abi, functionName, args) {
      const request = { abi, functionName, args } as unknown as Parameters<typeof encodeFunctionData>[0];
      const outcome = await reader.call({ to, data: encodeFunctionData(request) });
      if (!outcome.ok || outcome.output === "0x") return undefined;
      const answer = { abi, functionName, data: outcome.output } as unknown as Parameters<
        typeof decodeFunctionResult
      >[0];
      try {
        return decodeFunctionResult(answer) as never;
      } catch {
        // The contract has a function of this selector that answers something else: as if it had none.
        return undefined;
      }
    },
    async hasCode(address) {
      return toHex(await ask("eth_getCode", [address, "latest"])) !== "0x";
    },
    async findReceipt(hash) {
      return ((await ask("eth_getTransactionReceipt", [hash])) as WireReceipt | null) ?? undefined;
    },
    async findInput(hash) {
      return ((await ask("eth_getTransactionByHash", [hash])) as { input: Hex } | null)?.input;
    },
    async getBlockNumber() {
      return BigInt(toHex(await ask("eth_blockNumber", [])));
    },
  };
  return reader;
}

function toHex(answer: unknown): Hex {
  if (typeof answer === "string" && answer.startsWith("0x")) return answer as Hex;
  throw new NetworkError("The network answered something that is not hexadecimal.");
}
