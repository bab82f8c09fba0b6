/**
 * The types for a paid exchange: a list of steps from payFetch, the ledger and the chain. Every step can be converted
 * to JSON and back, so an exported flow renders like a live one.
 */
import type { Decoded } from "@/lib/decode/decoded";
import type { Payment, WireReceipt } from "@/lib/query/wire";
import type { PayStep } from "@/lib/x402/payFetch";
import type { Considered } from "@/lib/x402/payFetchChoice";
import type { Check } from "@/lib/x402/rules/rule";
import type { Hex } from "@/lib/x402/types";

/** EIP-712 hashes. The signed digest is keccak256 of 0x1901, the domain separator and the struct hash. */
export type TypedDataHashes = { domainSeparator: Hex; structHash: Hex; digest: Hex };

/** Facts derived from a signature. To recover the signer, the signed digest is needed too. */
export type SignatureFacts = { r: Hex; s: Hex; v: number; isLowS: boolean; recovered?: Hex };

export type BalanceChange = { party: "payer" | "payee"; address: string; before: string; after: string };

type Enriched<Step> = Step extends { kind: "typedData" }
  ? Step & { hashes?: TypedDataHashes }
  : Step extends { kind: "signature" }
    ? Step & { facts?: SignatureFacts }
    : Step;

/** Set if `atMs` is the ledger's time. Otherwise, `atMs` only says where the step belongs in the order. */
type LedgerTime = { isTimed?: true };

export type FlowStep =
  | Enriched<PayStep>
  | ({ atMs: number } & (
      | { kind: "funded"; transaction: string }
      | { kind: "preflight"; checks: Check[] }
      /** `tookMs` is how long the facilitator took, if its ledger recorded that. */
      | ({ kind: "verify"; checks: Check[]; refusedBy?: string; tookMs?: number } & LedgerTime)
      | { kind: "facilitatorRequest"; path: string; body: unknown }
      | { kind: "facilitatorAnswer"; path: string; status: number; body: unknown; failed: boolean }
      | ({
          kind: "settle";
          transaction: string;
          raw?: string;
          to?: string;
          readings: Decoded[];
          tookMs?: number;
        } & LedgerTime)
      | { kind: "ledger"; payment: Payment }
      | ({ kind: "mined"; receipt: WireReceipt; batchSize?: number } & LedgerTime)
      /** The payment's block is at or below the newest final block. */
      | { kind: "final"; block: number; finalized: number }
      /** `size` is the body's full length in bytes, if the body was truncated. */
      | { kind: "content"; status: number; mimeType: string; body: string; size?: number }
      | { kind: "balances"; asset: string; changes: BalanceChange[] }
      /** The exchange stopped here, and nothing more was sent; `message` explains why. */
      | { kind: "stopped"; message: string; considered?: readonly Considered[] }
    ));

export type Lane = "client" | "server" | "facilitator" | "chain";

/** A whole exchange, in the form that is recorded and exported. */
export type Flow = {
  version: 1;
  /** The name and CAIP-2 ID of the page's network. */
  network: string;
  chain: string;
  /** The full URL that was requested. */
  resource: string;
  /** The ID of the failure lab case, if the flow comes from the failure lab. */
  lab?: string;
  steps: FlowStep[];
};

/** The last step of the given kind. */
export function findStep<Kind extends FlowStep["kind"]>(
  steps: readonly FlowStep[],
  kind: Kind,
): Extract<FlowStep, { kind: Kind }> | undefined {
  return steps.findLast((step): step is Extract<FlowStep, { kind: Kind }> => step.kind === kind);
}
