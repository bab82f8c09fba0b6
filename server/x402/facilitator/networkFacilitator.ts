/**
 * One network's facilitator: its reader, ledger, sending accounts, and settlements in progress. After a crash, this
 * state is rebuilt from the ledger and the chain.
 */
import { setMaxListeners } from "node:events";
import type { LocalAccount } from "viem";
import type { Contracts } from "@/lib/contracts";
import type { Token } from "@/lib/networks";
import type { Hex } from "@/lib/x402/types";
import type { Eip1193Request } from "@/server/ports/eip1193";
import type {
  AllotmentStore,
  ChangeStore,
  LeaseStore,
  PaymentStore,
  RateStore,
  ReservationStore,
} from "@/server/ports/store";
import { type Batcher, createBatcher } from "@/server/x402/facilitator/batcher";
import { pause, toAbortable } from "@/server/x402/facilitator/closing";
import { createLedger, type Ledger } from "@/server/x402/facilitator/ledger";
import type { FacilitatorPayment } from "@/server/x402/facilitator/payment";
import { createRelayer, type RelayerOptions, type TransactionResult } from "@/server/x402/facilitator/relayer";
import { createReservations, type Reservations } from "@/server/x402/facilitator/reservations";
import type { Settlement } from "@/server/x402/facilitator/settlement";
import { createSimulations, type Simulations } from "@/server/x402/facilitator/simulations";
import { localPolicy, type Spending, type SpendingPolicy } from "@/server/x402/facilitator/spending";
import type { Sponsor } from "@/server/x402/facilitator/sponsor";
import { createReader } from "@/server/x402/reads/reader";
import type { SchemeNetwork } from "@/server/x402/schemes/scheme";

export type FacilitatorNetwork = {
  /** "eip155:10143" */
  caip2: string;
  chainId: number;
  request: Eip1193Request;
  tokens: readonly Token[];
  contracts: Contracts;
  /**
   * These accounts send settlements and pay for gas. An upto payment is bound to the first account unless the payer
   * chooses another.
   */
  accounts: readonly [LocalAccount, ...LocalAccount[]];
  store: PaymentStore & RateStore;
  /**
   * Whether the network has ever been used. If not, its ledger is empty and doesn't have to be read. By default, always
   * true.
   */
  isUsed?: () => boolean;
  /** Limits on what settlements may cost. The default is for chains where gas is free. */
  policy?: SpendingPolicy;
  /** Overrides this network's settings for sending transactions and waiting for them. */
  relay?: Pick<RelayerOptions, "waitMs" | "pollMs" | "confirmations" | "maxFeeWei">;
  /** Funds the accounts that pay for gas. Awaited before a payment is simulated, and must not reject. */
  topUpGas?: (() => Promise<void>) | undefined;
  /** The clock for the ledger and, unless `nowSeconds` is set, for authorizations; Date.now by default. */
  nowMs?: () => number;
  /**
   * The clock for authorizations, in seconds. Use the next block's timestamp if the network's clock may differ from
   * ours.
   */
  nowSeconds?: () => number;
  /** Set if other instances settle payments with the same accounts and store. `holder` identifies this instance. */
  shared?: { store: AllotmentStore & ReservationStore & LeaseStore & ChangeStore; holder: string };
};

/** Settings shared by the networks of one facilitator. */
export type FacilitatorSettings = {
  relay?: Pick<RelayerOptions, "waitMs" | "pollMs">;
  /** Maximum gas for a settlement; one that needs more is rejected. */
  maxGas: bigint;
  /** Maximum number of payments in one transaction. If it is 1, each payment is sent alone. */
  maxBatch: number;
  /** How long a settlement may wait to be batched while a transaction is in flight. */
  gatherMs: number;
  /** How long to wait for settlements in progress when closing. The next start finishes the rest. */
  closeMs: number;
  onBatch: (network: string, size: number) => void;
  /** Receives errors that are not the caller's fault. The caller only learns that something failed. */
  onError: (error: unknown) => void;
};

export type NetworkFacilitator = Pick<FacilitatorSettings, "maxGas" | "closeMs" | "onError"> & {
  network: SchemeNetwork;
  isUsed: () => boolean;
  reservations: Reservations;
  ledger: Ledger;
  /** One batcher for each sending account. */
  batchers: readonly [Batcher, ...Batcher[]];
  simulations: Simulations;
  topUpGas: () => Promise<void>;
  spending: Spending;
  sponsor: Sponsor;
  /** Settlements in progress, keyed by payment ID. */
  attempts: Map<Hex, { payment: FacilitatorPayment; settled: Promise<Settlement<"settled">> }>;
  /** Transactions that are being sent again, keyed by hash. All payments in a batch share one transaction. */
  resent: Map<Hex, Promise<TransactionResult>>;
  /** Aborted when the facilitator closes. This ends all waits. */
  closing: AbortController;
};

export function createNetworkFacilitator(
  options: FacilitatorNetwork,
  settings: FacilitatorSettings,
): NetworkFacilitator {
  const { caip2, chainId, tokens, contracts, accounts, store, relay, shared, nowMs = Date.now } = options;
  const { maxGas, maxBatch, gatherMs, closeMs, onError } = settings;
  const closing = new AbortController();
  const { signal } = closing;
  // Every waiting settlement adds a listener, so the limit on listeners is turned off.
  setMaxListeners(0, signal);
  const reader = createReader(toAbortable(options.request, signal));
  const ledger = createLedger(caip2, store, nowMs);
  const { multicall3 } = contracts;
  const toBatcher = (account: LocalAccount): Batcher => {
    const relayer = createRelayer({ reader, chainId, account, ...settings.relay, ...relay, signal, shared });
    const onBatch = (size: number) => settings.onBatch(caip2, size);
    return createBatcher({ relayer, ledger, multicall3, maxBatch, gatherMs, onBatch });
  };
  const [first, ...others] = accounts;
  const batchers: [Batcher, ...Batcher[]] = [toBatcher(first), ...others.map(toBatcher)];
  const [advertised, ...rest] = batchers;
  const network: SchemeNetwork = {
    caip2,
    chainId,
    tokens,
    contracts,
    reader,
    maxFeeWei: relay?.maxFeeWei,
    facilitators: [advertised.relayer.address, ...rest.map(({ relayer }) => relayer.address)],
    nowSeconds: options.nowSeconds ?? (() => Math.floor(nowMs() / 1000)),
  };
  return {
    maxGas,
    closeMs,
    onError,
    network,
    isUsed: options.isUsed ?? (() => true),
    reservations: createReservations(shared?.store, onError),
    ledger,
    batchers,
    topUpGas: options.topUpGas ?? (async () => undefined),
    spending: { policy: options.policy ?? localPolicy, store, network },
    simulations: createSimulations({ reader, multicall3, maxFeeWei: relay?.maxFeeWei }),
    sponsor: { turns: new Map(), store: shared?.store },
    attempts: new Map(),
    resent: new Map(),
    closing,
  };
}

/** Waits for settlements in progress, but not for a network that doesn't respond. */
export async function closeNetworkFacilitator({ attempts, closing, closeMs }: NetworkFacilitator): Promise<void> {
  const rested = Promise.allSettled([...attempts.values()].map(({ settled }) => settled));
  const slept = new AbortController();
  await Promise.race([rested, pause(closeMs, slept.signal)]);
  slept.abort();
  // Ends requests that the network hasn't answered. The next start sends them again.
  closing.abort();
  await rested;
}
