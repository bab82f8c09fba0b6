/**
 * A paid exchange as a list of steps: payFetch's own, and around them what a page read from the ledger and the chain.
 * Everything in a step survives JSON, so that a flow that was exported draws the same as a live one.
 */
import type { Decoded } from "@/lib/decode/decoded";
import type { Payment, WireReceipt } from "@/lib/query/wire";
import type { PayStep } from "@/lib/x402/payFetch";
import type { Considered } from "@/lib/x402/payFetchChoice";
import type { Hex } from "@/lib/x402/types";

/** A value that is shown by what it means. Times are seconds since the epoch, units decimal text. */
export type CheckValue = string | { address: string } | { units: string; asset: string } | { time: number };

/** One rule held against a payment. unknown: what it needs could not be read. */
export type Check = {
  /** A reason word of the facilitator, or what the preflight calls it. */
  rule: string;
  outcome: "pass" | "fail" | "unknown";
  asked: CheckValue;
  given: CheckValue;
};

/** Hashes of EIP-712: what is signed is keccak256 of 0x1901, the domain's and the message's. */
export type TypedDataHashes = { domainSeparator: Hex; structHash: Hex; digest: Hex };

/** What a signature says by itself. */
export type SignatureFacts = { r: Hex; s: Hex; v: number; isLowS: boolean; recovered?: Hex };

export type BalanceChange = { party: "payer" | "payee"; address: string; before: string; after: string };

type Enriched<Step> = Step extends { kind: "typedData" }
  ? Step & { hashes?: TypedDataHashes }
  : Step extends { kind: "signature" }
    ? Step & { facts?: SignatureFacts }
    : Step;

export type FlowStep =
  | Enriched<PayStep>
  | ({ atMs: number } & (
      | { kind: "funded"; transaction: string }
      | { kind: "preflight"; checks: Check[] }
      /** tookMs: what the facilitator needed, where its ledger says. */
      | { kind: "verify"; checks: Check[]; refusedBy?: string; tookMs?: number }
      | { kind: "facilitatorRequest"; path: string; body: unknown }
      | { kind: "facilitatorAnswer"; path: string; status: number; body: unknown; failed: boolean }
      | { kind: "settle"; transaction: string; raw?: string; to?: string; readings: Decoded[]; tookMs?: number }
      | { kind: "ledger"; payment: Payment }
      | { kind: "mined"; receipt: WireReceipt; batchSize?: number }
      /** The block stands at or below the newest final one. */
      | { kind: "final"; block: number; finalized: number }
      | { kind: "content"; status: number; mimeType: string; body: string }
      | { kind: "balances"; asset: string; changes: BalanceChange[] }
      /** Nothing was sent after this; message is one sentence. */
      | { kind: "stopped"; message: string; considered?: readonly Considered[] }
    ));

export type Lane = "client" | "server" | "facilitator" | "chain";

/** A whole exchange as it is kept, exported and linked to. */
export type Flow = {
  version: 1;
  /** Name and CAIP-2 id of the network of the page. */
  network: string;
  chain: string;
  /** What was asked for: the whole URL. */
  resource: string;
  /** Case of the failure lab, where it was one. */
  lab?: string;
  steps: FlowStep[];
};

/** The step of a kind, the last where there are several. */
export function findStep<Kind extends FlowStep["kind"]>(
  steps: readonly FlowStep[],
  kind: Kind,
): Extract<FlowStep, { kind: Kind }> | undefined {
  return steps.findLast((step): step is Extract<FlowStep, { kind: Kind }> => step.kind === kind);
}
