/**
 * Reads one network over EIP-1193. A revert is a result; any other failure is a NetworkError, because the network is to
 * blame and not the payment.
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
import type { Eip1193Request } from "@/server/ports/eip1193";
import {
  findRevert,
  findRpcFailure,
  isUnknownMethod,
  NetworkError,
  type Revert,
} from "@/server/x402/reads/jsonRpcError";

export type Call = { from?: Hex; to: Hex; data: Hex; gas?: Hex };
type CallOutcome = { ok: true; output: Hex } | { ok: false; revert: Revert };
type GasOutcome = { ok: true; gas: bigint } | { ok: false; revert: Revert };
export type WireLog = { address: Hex; topics: Hex[]; data: Hex; transactionHash: Hex };
export type WireReceipt = { status: Hex; transactionHash: Hex; blockNumber: Hex; logs: WireLog[] } & {
  gasUsed?: Hex;
  effectiveGasPrice?: Hex;
};

export type Reader = {
  request: Eip1193Request;
  /** Runs a call on the latest block. */
  call(call: Call): Promise<CallOutcome>;
  /**
   * Simulates calls in order on the latest block, each on the state left by the previous ones, without gas cost;
   * undefined if the network does not support it (no eth_simulateV1).
   */
  callInTurn(calls: readonly Call[]): Promise<CallOutcome[] | undefined>;
  estimateGas(call: Call): Promise<GasOutcome>;
  /** A view function's value; undefined if the contract reverts or returns something else. */
  findValue<const A extends Abi, Name extends ContractFunctionName<A, "view">>(
    to: Hex,
    abi: A,
    functionName: Name,
    args: ContractFunctionArgs<A, "view", Name>,
  ): Promise<ContractFunctionReturnType<A, "view", Name> | undefined>;
  hasCode(address: Hex): Promise<boolean>;
  /**
   * hasCode for addresses that are not key accounts: deployed code is assumed to stay, so a positive answer is cached.
   */
  isContract(address: Hex): Promise<boolean>;
  findReceipt(hash: Hex): Promise<WireReceipt | undefined>;
  findInput(hash: Hex): Promise<Hex | undefined>;
  getBlockNumber(): Promise<bigint>;
  /** Number of transactions the account has sent: in blocks only, or including the pool. */
  getTransactionCount(account: Hex, block: "latest" | "pending"): Promise<bigint>;
  /** Wei; "pending" includes transactions in flight. */
  getBalance(account: Hex, block: "latest" | "pending"): Promise<bigint>;
  /** The base fee and the usual tip, in wei per gas. */
  getFees(): Promise<{ baseFeeWei: bigint; tipWei: bigint }>;
};

const maxContracts = 1_000;

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

  /** Small: only the network's own tokens and contracts. */
  const contracts = new Set<Hex>();
  const reader: Reader = {
    request,
    async isContract(address) {
      if (contracts.has(address)) return true;
      const isThere = await reader.hasCode(address);
      if (isThere && contracts.size < maxContracts) contracts.add(address);
      return isThere;
    },
    async call(call) {
      const outcome = await askForRevert("eth_call", [call, "latest"]);
      return "revert" in outcome ? { ok: false, ...outcome } : { ok: true, output: toHex(outcome.answer) };
    },
    async callInTurn(calls) {
      let answer: unknown;
      try {
        answer = await ask("eth_simulateV1", [{ blockStateCalls: [{ calls }], validation: false }, "latest"]);
      } catch (error) {
        const failure = findRpcFailure(error);
        if (failure && isUnknownMethod(failure)) return undefined;
        // Some nodes reject the whole request if they cannot even start the first call.
        const revert = failure && findRevert(failure);
        if (revert) return [{ ok: false, revert }];
        throw error;
      }
      const outcomes = (answer as { calls?: SimulatedCall[] }[] | null)?.[0]?.calls;
      if (outcomes?.length !== calls.length) throw new NetworkError("eth_simulateV1 answered something else.");
      return outcomes.map(toOutcome);
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
        // The function exists but returns something else; treat it as missing.
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
    async getTransactionCount(account, block) {
      return BigInt(toHex(await ask("eth_getTransactionCount", [account, block])));
    },
    async getBalance(account, block) {
      return BigInt(toHex(await ask("eth_getBalance", [account, block])));
    },
    async getFees() {
      const block = (await ask("eth_getBlockByNumber", ["latest", false])) as { baseFeePerGas?: Hex } | null;
      // Before London there is a single gas price and no tip.
      if (!block?.baseFeePerGas) return { baseFeeWei: BigInt(toHex(await ask("eth_gasPrice", []))), tipWei: 0n };
      const tip = toHex(await ask("eth_maxPriorityFeePerGas", []));
      return { baseFeeWei: BigInt(block.baseFeePerGas), tipWei: BigInt(tip) };
    },
  };
  return reader;
}

type SimulatedCall = { status?: string; returnData?: Hex; error?: { code?: number; message?: string; data?: unknown } };

function toOutcome({ status, returnData = "0x", error }: SimulatedCall): CallOutcome {
  if (status === "0x1") return { ok: true, output: returnData };
  const { code = 3, message = "", data = returnData } = error ?? {};
  return { ok: false, revert: findRevert({ code, message, data }) ?? { data: "0x", sentence: "" } };
}

function toHex(answer: unknown): Hex {
  if (typeof answer === "string" && answer.startsWith("0x")) return answer as Hex;
  throw new NetworkError("The network answered something that is not hexadecimal.");
}
