"use client";
/** What a transaction's gas was used for, as a bar with a legend. The whole bar is the gas limit. */
import { useQuery } from "@tanstack/react-query";
import { useSource } from "@/components/layout/NetworkContext";
import { useGasSplit } from "@/components/transaction/useGasSplit";
import { splitCodeDeposit } from "@/lib/decode/codeDeposit";
import type { GasPart } from "@/lib/decode/gasSplit";
import { ownCallQuery } from "@/lib/query/transaction";
import type { WireReceipt, WireTransaction } from "@/lib/query/wire";
import { formatInteger, toPercent } from "@/lib/units";

const labels: Record<GasPart["kind"], string> = {
  base: "Base",
  creation: "Creation",
  calldata: "Calldata",
  accessList: "Access list",
  authorizations: "Authorizations",
  intrinsic: "Intrinsic",
  execution: "Execution",
  deposit: "Code deposit",
  minimum: "Minimum",
};

const hints: Partial<Record<GasPart["kind"], string>> = {
  base: "Base cost of every transaction: 21,000 gas",
  intrinsic: "Charged before the code runs, by the rules of the block’s hard fork",
  execution: "Used by the code, including its calls",
  minimum: "Added to reach the minimum charge: the calldata floor (EIP-7623) or the gas limit",
};

/** Neighbors must differ in hue, because most bars have only three parts. */
const colors: Partial<Record<GasPart["kind"], string>> = {
  base: "bg-edge",
  creation: "bg-lane-facilitator",
  calldata: "bg-lane-chain",
  execution: "bg-code",
  deposit: "bg-lane-client",
  minimum: "bg-warn",
};
const otherColor = "bg-ink-2";

export function GasParts({ transaction, receipt }: { transaction: WireTransaction; receipt: WireReceipt }) {
  const split = useGasSplit(transaction, receipt);
  const creates = transaction.to === null;
  const { data: own } = useQuery({ ...ownCallQuery(useSource(), transaction.hash), enabled: creates });
  if (split === undefined || split.parts.length < 2) return null;
  const parts = splitCodeDeposit(split.parts, own?.result?.code);
  const limit = BigInt(transaction.gas);
  return (
    // In two columns, the number, the bar and one line of text are exactly as tall as two rows.
    <div className="flex max-w-160 flex-col gap-1 py-1">
      <span aria-hidden className="flex h-2 gap-px bg-sunken shadow-[inset_0_0_0_1px_var(--line)]">
        {parts.map(({ kind, gas }) => (
          <span
            key={kind}
            className={`min-w-1 ${colors[kind] ?? otherColor}`}
            // The filled part of the bar is the gas used, which is less by the refund.
            style={{
              width: `${toPercent(kind === "execution" && gas > split.refund ? gas - split.refund : gas, limit)}%`,
            }}
          />
        ))}
        {split.refund > 0n && (
          <span className="min-w-1 border border-pos" style={{ width: `${toPercent(split.refund, limit)}%` }} />
        )}
      </span>
      <ul
        className="flex gap-x-5 gap-y-0.5 text-12 max-sm:flex-col sm:flex-wrap xl:gap-x-2.5"
        aria-label="What the gas was used for"
      >
        {parts.map(({ kind, gas, sum }) => (
          <li key={kind} className="flex items-center gap-1.5 leading-5" title={sum ?? hints[kind]}>
            <span aria-hidden className={`size-2 ${colors[kind] ?? otherColor}`} />
            <span
              className={`text-ink-2 ${(sum ?? hints[kind]) ? "cursor-help underline decoration-edge decoration-dotted underline-offset-3" : ""}`}
            >
              {labels[kind]}
              {kind === "execution" && split.isNet && ", less refunds"}
            </span>
            {formatInteger(gas)}
          </li>
        ))}
        {split.refund > 0n && (
          <li className="flex items-center gap-1.5 leading-5" title="Refunded for cleared storage (EIP-3529)">
            <span aria-hidden className="size-2 border border-pos" />
            <span className="text-ink-2">Refund</span>
            <span className="text-pos">−{formatInteger(split.refund)}</span>
          </li>
        )}
      </ul>
    </div>
  );
}
