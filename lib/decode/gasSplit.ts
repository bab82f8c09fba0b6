/**
 * Splits a transaction's gas into the cost before the first instruction, the gas used by its code, and the refund. The
 * gas used is the sum of the parts minus the refund.
 */
import type { WireReceipt, WireTransaction } from "@/lib/query/wire";

type Priced = Pick<WireTransaction, "gas" | "to" | "input" | "accessList" | "authorizationList">;

/**
 * The transaction's top-level call in a Parity trace. Its gas limit excludes intrinsic gas, and refunds aren't
 * subtracted from its gas used.
 */
export type OwnCall = {
  action: { gas?: string | undefined };
  result?: { gasUsed: string } | null | undefined;
  error?: string | undefined;
};

/** A native transfer to an account without code uses exactly this much gas, so there is nothing to split. */
export const transferGas = 21_000n;

export type GasPart = {
  kind:
    | "base"
    | "creation"
    | "calldata"
    | "accessList"
    | "authorizations"
    | "intrinsic"
    | "execution"
    | "deposit"
    | "minimum";
  gas: bigint;
  /** How this part's gas is computed, such as "44 bytes × 16 + 24 zero bytes × 4". */
  sum?: string;
};

export type GasSplit = {
  parts: GasPart[];
  /** EIP-3529: gas refunded for cleared storage, and for authorizations of existing accounts (EIP-7702). */
  refund: bigint;
  used: bigint;
  /**
   * Whether the refund is already subtracted from the execution part, because the trace doesn't show the two
   * separately.
   */
  isNet: boolean;
};

export function toGasSplit(transaction: Priced, receipt: Pick<WireReceipt, "gasUsed">, own?: OwnCall): GasSplit {
  const used = BigInt(receipt.gasUsed);
  const limit = BigInt(transaction.gas);
  const found = findExecution(limit, own);
  const computed = listIntrinsic(transaction);
  const sum = sumGas(computed);
  const intrinsic = found === undefined ? sum : limit - found.given;
  // Older forks had different gas costs. For blocks from those forks, only the total is known.
  const parts = intrinsic === sum ? computed : [{ kind: "intrinsic" as const, gas: intrinsic }];
  const execution = found?.used ?? (used > intrinsic ? used - intrinsic : 0n);
  if (execution > 0n) parts.push({ kind: "execution", gas: execution });
  const spent = intrinsic + execution;
  if (used > spent) parts.push({ kind: "minimum", gas: used - spent });
  return { parts, refund: spent > used ? spent - used : 0n, used, isNet: found === undefined };
}

export function sumGas(parts: readonly GasPart[]): bigint {
  return parts.reduce((sum, { gas }) => sum + gas, 0n);
}

/** The gas that the code was given and the gas that it used. Undefined if the trace doesn't contain these values. */
function findExecution(limit: bigint, own: OwnCall | undefined): { given: bigint; used: bigint } | undefined {
  if (own?.action.gas === undefined) return undefined;
  const given = BigInt(own.action.gas);
  // Some nodes return the whole transaction's gas limit here.
  if (given >= limit) return undefined;
  if (own.result) return { given, used: BigInt(own.result.gasUsed) };
  // If a call fails without a revert, it uses up all its gas.
  return own.error === undefined || own.error === "Reverted" ? undefined : { given, used: given };
}

/** The intrinsic gas, using Prague's costs. Later forks haven't changed them. */
function listIntrinsic({ to, input, accessList, authorizationList }: Priced): GasPart[] {
  const bytes = (input.length - 2) / 2;
  const zeros =
    input
      .slice(2)
      .match(/../g)
      ?.filter((byte) => byte === "00").length ?? 0;
  const keys = (accessList ?? []).reduce((sum, { storageKeys }) => sum + storageKeys.length, 0);
  const addresses = accessList?.length ?? 0;
  const authorizations = authorizationList?.length ?? 0;
  const words = Math.ceil(bytes / 32);
  const all: (Omit<GasPart, "gas"> & { gas: number })[] = [
    { kind: "base", gas: Number(transferGas) },
    { kind: "creation", gas: to === null ? 32_000 + 2 * words : 0, sum: `32,000 + ${words} words × 2` },
    {
      kind: "calldata",
      gas: 16 * (bytes - zeros) + 4 * zeros,
      sum: `${bytes - zeros} nonzero bytes × 16 + ${zeros} zero bytes × 4`,
    },
    {
      kind: "accessList",
      gas: 2_400 * addresses + 1_900 * keys,
      sum: `${addresses} addresses × 2,400 + ${keys} storage keys × 1,900`,
    },
    { kind: "authorizations", gas: 25_000 * authorizations, sum: `${authorizations} × 25,000` },
  ];
  return all.filter(({ gas }) => gas > 0).map((part) => ({ ...part, gas: BigInt(part.gas) }));
}
