/**
 * Reads one network over EIP-1193. A revert is returned as a result. Any other failure is a NetworkError, because the
 * payment didn't cause it.
 */
import {
  type Abi,
  type ContractFunctionArgs,
  type ContractFunctionName,
  type ContractFunctionReturnType,
  type DecodeFunctionResultParameters,
  decodeFunctionResult,
  type EncodeFunctionDataParameters,
  encodeFunctionData,
  numberToHex,
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

export type Call = { from?: Hex; to: Hex; data: Hex; gas?: Hex } & Partial<Fees<Hex>>;
/** A transaction's fees in wei per gas. Before London, there is only `gasPrice`. */
export type Fees<Wei = bigint> = { maxFeePerGas: Wei; maxPriorityFeePerGas: Wei } | { gasPrice: Wei };
type CallOutcome = { ok: true; output: Hex } | { ok: false; revert: Revert };
export type WireLog = { address: Hex; topics: Hex[]; data: Hex; transactionHash: Hex };
export type WireReceipt = { status: Hex; transactionHash: Hex; blockNumber: Hex; logs: WireLog[] } & {
  gasUsed?: Hex;
  effectiveGasPrice?: Hex;
};

export type Reader = ReturnType<typeof createReader>;

const maxContracts = 1_000;

/** Creates a reader that uses a request function. Its methods throw NetworkError. */
export function createReader(request: Eip1193Request) {
  const ask = async (method: string, ...params: unknown[]): Promise<unknown> => {
    try {
      return await request({ method, params });
    } catch (error) {
      throw new NetworkError(`${method} failed.`, { cause: error });
    }
  };
  const askHex = async (method: string, ...params: unknown[]) => toHex(await ask(method, ...params));
  /** Runs a call on the latest block. */
  const call = (wanted: Call): Promise<CallOutcome> => toOutcome(askHex("eth_call", wanted, "latest"));
  /**
   * Runs a call in the next block, because on a chain that mines on demand, the latest block may be a week old. If a
   * node has no pending block, the call runs on the latest one.
   */
  const runNext = (method: "eth_call" | "eth_estimateGas", wanted: Call): Promise<CallOutcome> =>
    toOutcome(askHex(method, wanted, "pending")).catch((error) => {
      if (!findRpcFailure(error)) throw error;
      return toOutcome(askHex(method, wanted, "latest"));
    });
  const hasCode = async (address: Hex) => (await askHex("eth_getCode", address, "latest")) !== "0x";
  /**
   * Addresses that are known to have code. These are only the network's own tokens and contracts, so the set stays
   * small.
   */
  const contracts = new Set<Hex>();

  return {
    request,
    ask,
    /** Runs a call as if it were a transaction in the next block, with the given fees and gas. */
    simulate: (wanted: Call) => runNext("eth_call", wanted),
    hasCode,
    /**
     * Whether an address has code. A positive result is cached, so don't use this for accounts with a key, whose code
     * may change.
     */
    async isContract(address: Hex): Promise<boolean> {
      if (contracts.has(address)) return true;
      const isThere = await hasCode(address);
      if (isThere && contracts.size < maxContracts) contracts.add(address);
      return isThere;
    },
    /**
     * Simulates calls in order in the next block, without charging for gas. Each call sees the changes made by the
     * calls before it. Returns undefined if the network doesn't support eth_simulateV1.
     */
    async simulateInTurn(calls: readonly Call[]): Promise<CallOutcome[] | undefined> {
      const { timestamp } = (await ask("eth_getBlockByNumber", "latest", false)) as { timestamp: Hex };
      const time = numberToHex(Math.max(Math.floor(Date.now() / 1000), Number(timestamp) + 1));
      const blockStateCalls = [{ blockOverrides: { time }, calls }];
      return toOutcomes(ask("eth_simulateV1", { blockStateCalls, validation: false }, "latest"), calls.length);
    },
    async estimateGas(wanted: Call): Promise<{ ok: true; gas: bigint } | { ok: false; revert: Revert }> {
      const outcome = await runNext("eth_estimateGas", wanted);
      return outcome.ok ? { ok: true, gas: BigInt(outcome.output) } : outcome;
    },
    /** Reads a view function's value. Returns undefined if the contract reverts or the result doesn't match the ABI. */
    async findValue<const A extends Abi, Name extends ContractFunctionName<A, "view">>(
      to: Hex,
      abi: A,
      functionName: Name,
      args: ContractFunctionArgs<A, "view", Name>,
    ): Promise<ContractFunctionReturnType<A, "view", Name> | undefined> {
      const data = encodeFunctionData({ abi, functionName, args } as EncodeFunctionDataParameters);
      const outcome = await call({ to, data });
      if (!outcome.ok || outcome.output === "0x") return undefined;
      try {
        const answer = { abi, functionName, data: outcome.output } as DecodeFunctionResultParameters;
        return decodeFunctionResult(answer) as ContractFunctionReturnType<A, "view", Name>;
      } catch {
        // The function exists but returns another type, so it is treated as missing.
        return undefined;
      }
    },
    async findReceipt(hash: Hex): Promise<WireReceipt | undefined> {
      return ((await ask("eth_getTransactionReceipt", hash)) as WireReceipt | null) ?? undefined;
    },
    async findInput(hash: Hex): Promise<Hex | undefined> {
      return ((await ask("eth_getTransactionByHash", hash)) as { input: Hex } | null)?.input;
    },
    getBlockNumber: async () => BigInt(await askHex("eth_blockNumber")),
    /**
     * How many transactions the account has sent. "latest" counts only those in blocks; "pending" includes the pool.
     */
    getTransactionCount: async (account: Hex, block: "latest" | "pending") =>
      BigInt(await askHex("eth_getTransactionCount", account, block)),
    /** The balance in wei. "pending" includes transactions in flight. */
    getBalance: async (account: Hex, block: "latest" | "pending") =>
      BigInt(await askHex("eth_getBalance", account, block)),
    /** The base fee and the usual tip, in wei per gas. Before London, the gas price is returned as the base fee. */
    async getFees(): Promise<{ baseFeeWei: bigint; tipWei: bigint | undefined }> {
      const block = (await ask("eth_getBlockByNumber", "latest", false)) as { baseFeePerGas?: Hex } | null;
      if (!block?.baseFeePerGas) return { baseFeeWei: BigInt(await askHex("eth_gasPrice")), tipWei: undefined };
      return { baseFeeWei: BigInt(block.baseFeePerGas), tipWei: BigInt(await askHex("eth_maxPriorityFeePerGas")) };
    },
  };
}

/** Converts a revert to a result. Throws NetworkError if the request failed for any other reason. */
async function toOutcome(asked: Promise<Hex>): Promise<CallOutcome> {
  try {
    return { ok: true, output: await asked };
  } catch (error) {
    const failure = findRpcFailure(error);
    const revert = failure && findRevert(failure);
    if (!revert) throw error;
    return { ok: false, revert };
  }
}

type SimulatedCall = { status?: string; returnData?: Hex; error?: { code?: number; message?: string; data?: unknown } };

async function toOutcomes(simulated: Promise<unknown>, size: number): Promise<CallOutcome[] | undefined> {
  let answer: unknown;
  try {
    answer = await simulated;
  } catch (error) {
    const failure = findRpcFailure(error);
    if (failure && isUnknownMethod(failure)) return undefined;
    // Some nodes reject the whole request if the first call cannot start.
    const revert = failure && findRevert(failure);
    if (revert) return [{ ok: false, revert }];
    throw error;
  }
  const calls = (answer as { calls?: SimulatedCall[] }[] | null)?.[0]?.calls;
  if (calls?.length !== size) throw new NetworkError("eth_simulateV1 returned an unexpected result.");
  return calls.map(({ status, returnData = "0x", error }) => {
    if (status === "0x1") return { ok: true, output: returnData };
    const { code = 3, message = "", data = returnData } = error ?? {};
    return { ok: false, revert: findRevert({ code, message, data }) ?? { data: "0x", sentence: "" } };
  });
}

function toHex(answer: unknown): Hex {
  if (typeof answer === "string" && answer.startsWith("0x")) return answer as Hex;
  throw new NetworkError("The network returned a result that is not hexadecimal.");
}
