/** Simulates a call from an account: whether it succeeds, its result, its gas and its transfers. */
import type { Source } from "@/lib/query/source";
import { RpcError } from "@/lib/rpc/client";
import type { WireLog } from "@/lib/rpc/shapes";
import { toQuantity } from "@/lib/units";

type Hex = `0x${string}`;

export type SimulatedCall = { from: Hex; to: Hex; data: Hex; value: bigint };

export type Simulation = {
  succeeds: boolean;
  /** The call's return data, or its revert data if it fails. */
  returned: Hex;
  /** Undefined if the node doesn't report it. */
  gasUsed: bigint | undefined;
  /**
   * Includes transfers of native tokens, which are logs from `nativeLogger`. Undefined if the node doesn't report logs.
   */
  logs: WireLog[] | undefined;
  /** The node's error message, if the call fails. */
  message?: string;
};

/** eth_simulateV1 reports transfers of native tokens as logs from this address. */
export const nativeLogger = `0x${"ee".repeat(20)}`;

const reverted = 3;

/** Rejects if the node can't run the call, for example because the account can't pay for it. */
export async function simulateCall(source: Source, { from, to, data, value }: SimulatedCall): Promise<Simulation> {
  const call = { from, to, data, value: toQuantity(value) };
  try {
    const payload = { blockStateCalls: [{ calls: [call] }], traceTransfers: true };
    const [block] = await source.request({ method: "eth_simulateV1", params: [payload, "latest"] });
    const { status, returnData, gasUsed, logs, error } = block!.calls[0]!;
    return {
      succeeds: Number(status) === 1,
      returned: error?.data ?? returnData,
      gasUsed: BigInt(gasUsed),
      logs,
      ...(error && { message: error.message }),
    };
  } catch (error) {
    // The node may not support eth_simulateV1, so eth_call is tried next. If the call itself is invalid, eth_call fails
    // too.
    if (!(error instanceof RpcError)) throw error;
  }
  return simulateByCall(source, call);
}

/** Uses eth_call and eth_estimateGas, for nodes without eth_simulateV1. */
async function simulateByCall(
  { request }: Source,
  call: { from: Hex; to: Hex; data: Hex; value: Hex },
): Promise<Simulation> {
  try {
    const returned = await request({ method: "eth_call", params: [call, "latest"] });
    const gas = await request({ method: "eth_estimateGas", params: [call] });
    return { succeeds: true, returned, gasUsed: BigInt(gas), logs: undefined };
  } catch (error) {
    if (!(error instanceof RpcError) || error.code !== reverted) throw error;
    const returned = typeof error.data === "string" ? (error.data as Hex) : "0x";
    return { succeeds: false, returned, gasUsed: undefined, logs: undefined, message: error.message };
  }
}
