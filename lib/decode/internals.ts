/**
 * Lists the native tokens that a transaction's calls moved. Returns them as internal transactions, and as transfers for
 * computing net changes.
 */
import type { Movement } from "@/lib/decode/transfers";
import { noAddress } from "@/lib/decode/transfers";
import type { WireCallFrame } from "@/lib/rpc/traceShapes";

type Address = `0x${string}`;

export type InternalTransaction = {
  /** The call frame's path in the trace, such as "0.2.1". */
  id: string;
  kind: "call" | "create" | "create2" | "selfdestruct";
  from: Address;
  /** Undefined if a contract creation failed. */
  to: Address | undefined;
  valueWei: bigint;
  /** Whether this call or a call above it failed. If so, nothing moved. */
  isReverted: boolean;
};

const kinds: Partial<Record<WireCallFrame["type"], InternalTransaction["kind"]>> = {
  CALL: "call",
  CREATE: "create",
  CREATE2: "create2",
  SELFDESTRUCT: "selfdestruct",
};

/**
 * Lists creations, self-destructs, and calls that move native tokens, in order of execution. The transaction's
 * top-level call comes first, with the ID "0". Skips DELEGATECALLs: they report their caller's value but move nothing.
 */
function listValueCalls(root: WireCallFrame): InternalTransaction[] {
  const found: InternalTransaction[] = [];
  const add = (frame: WireCallFrame, id: string, isInReverted: boolean) => {
    const kind = kinds[frame.type];
    const valueWei = BigInt(frame.value ?? 0);
    const isReverted = isInReverted || frame.error !== undefined;
    if (kind !== undefined && (id === "0" || kind !== "call" || valueWei > 0n)) {
      found.push({ id, kind, from: frame.from, to: frame.to, valueWei, isReverted });
    }
    for (const [index, call] of (frame.calls ?? []).entries()) add(call, `${id}.${index}`, isReverted);
  };
  add(root, "0", false);
  return found;
}

export function listInternalTransactions(root: WireCallFrame): InternalTransaction[] {
  return listValueCalls(root).slice(1);
}

/** Every transfer of native tokens that was not reverted, including the transaction's own value. */
export function listNativeMovements(root: WireCallFrame): Omit<Movement, "logIndex">[] {
  return listValueCalls(root).flatMap(({ from, to, valueWei, isReverted }) =>
    isReverted || to === undefined || valueWei === 0n
      ? []
      : [{ standard: "native" as const, token: noAddress, from, to, amount: valueWei }],
  );
}

type PaidGas = {
  gasUsed: string;
  effectiveGasPrice: string;
  blobGasUsed?: string | undefined;
  blobGasPrice?: string | undefined;
};

/** The parts of the fee that are burned (EIP-1559, EIP-4844). */
export function toBurnedWei(receipt: PaidGas, baseFeePerGas: string | null | undefined) {
  const { gasUsed, blobGasUsed = 0, blobGasPrice = 0 } = receipt;
  return {
    baseFeeWei: BigInt(baseFeePerGas ?? 0) * BigInt(gasUsed),
    blobFeeWei: BigInt(blobGasUsed) * BigInt(blobGasPrice),
  };
}

/** What the sender paid for gas and blobs. */
export function toFeeWei(receipt: PaidGas): bigint {
  const { gasUsed, effectiveGasPrice, blobGasUsed = 0, blobGasPrice = 0 } = receipt;
  return BigInt(gasUsed) * BigInt(effectiveGasPrice) + BigInt(blobGasUsed) * BigInt(blobGasPrice);
}
