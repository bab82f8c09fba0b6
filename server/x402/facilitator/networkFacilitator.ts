/**
 * The facilitator of one network: its reader, ledger, sending accounts and settler. Reservations are summed after the
 * payer's balance is read, so no two payments can reserve the same units.
 */
import { setMaxListeners } from "node:events";
import type { LocalAccount } from "viem";
import { erc20Abi } from "@/lib/abi/erc20";
import type { Contracts } from "@/lib/contracts";
import type { Token } from "@/lib/networks";
import type { Hex } from "@/lib/x402/types";
import type { Eip1193Request } from "@/server/ports/eip1193";
import type { AllotmentStore, ChangeStore, LeaseStore, PaymentStore, ReservationStore } from "@/server/ports/store";
import { runAlone } from "@/server/storage/runAlone";
import { createBatcher } from "@/server/x402/facilitator/batcher";
import { pause, toAbortable } from "@/server/x402/facilitator/closing";
import { createLedger, type Ledger } from "@/server/x402/facilitator/ledger";
import { createRelayer, type RelayerOptions } from "@/server/x402/facilitator/relayer";
import { createSharedReservations, type Reservations } from "@/server/x402/facilitator/reservations";
import { createSettler, type Sender, type Settler } from "@/server/x402/facilitator/settler";
import { createSimulations, type Simulations } from "@/server/x402/facilitator/simulations";
import { createSponsor } from "@/server/x402/facilitator/sponsor";
import { PaymentError } from "@/server/x402/reads/error";
import { createReader } from "@/server/x402/reads/reader";
import type { Payment, SchemeNetwork } from "@/server/x402/schemes/scheme";

export type FacilitatorNetwork = {
  /** "eip155:10143" */
  caip2: string;
  chainId: number;
  request: Eip1193Request;
  tokens: readonly Token[];
  contracts: Contracts;
  /** They send settlements and pay the gas; upto is bound to the first unless the payer names another. */
  accounts: readonly [LocalAccount, ...LocalAccount[]];
  store: PaymentStore;
  /** How settlements are sent on this network, if different from other networks. */
  relay?: Pick<RelayerOptions, "waitMs" | "pollMs" | "confirmations" | "maxFeeWei">;
  /** The clock for authorizations and the ledger; Date.now by default. */
  nowMs?: () => number;
  /** Set if other instances settle with the same accounts and store; holder identifies this one. */
  shared?: { store: AllotmentStore & ReservationStore & LeaseStore & ChangeStore; holder: string };
};

export type NetworkFacilitator = {
  network: SchemeNetwork;
  store: PaymentStore;
  ledger: Ledger;
  settler: Settler;
  simulations: Simulations;
  /** Reserves the payment's amount of the payer's balance. Throws PaymentError if the balance no longer covers it. */
  reserve(id: Hex, payment: Payment): Promise<void>;
  /** Releases the amount that reserve holds. */
  release(id: Hex, payment: Payment): void;
  nowMs(): number;
  /** Waits for settlements in progress, but not for a network that stays silent. */
  close(): Promise<void>;
};

/** Options shared by the networks of one facilitator. */
export type NetworkFacilitatorOptions = {
  /** Shared across this process. */
  reservations: Reservations;
  holdMs: number;
  relay: Pick<RelayerOptions, "waitMs" | "pollMs"> | undefined;
  maxGas: bigint;
  maxBatch: number;
  gatherMs: number;
  /** How long closing waits for settlements in progress. */
  closeMs: number;
  onBatch: (network: string, size: number) => void;
  onError: (error: unknown) => void;
};

/** How long to wait for another instance's approval for the same payer. */
const sponsorMs = 60_000;

/** Builds the facilitator of one network. */
export function createNetworkFacilitator(
  { caip2, chainId, request, tokens, contracts, accounts, store, relay, shared, nowMs = Date.now }: FacilitatorNetwork,
  {
    reservations: ownReservations,
    holdMs,
    relay: defaultRelay,
    maxGas,
    maxBatch,
    gatherMs,
    closeMs,
    onBatch,
    onError,
  }: NetworkFacilitatorOptions,
): NetworkFacilitator {
  const reservations = shared ? createSharedReservations(shared.store, holdMs, onError) : ownReservations;
  const closing = new AbortController();
  const { signal } = closing;
  // Every waiting settlement adds a listener.
  setMaxListeners(0, signal);
  const reader = createReader(toAbortable(request, signal));
  const ledger = createLedger(caip2, store, nowMs);
  const hasMulticall = () => reader.isContract(contracts.multicall3);
  const toSender = (account: LocalAccount): Sender => {
    const relayer = createRelayer({ reader, chainId, account, ...defaultRelay, ...relay, signal, shared });
    const batcher = createBatcher({
      relayer,
      multicall3: contracts.multicall3,
      hasMulticall,
      begin: ledger.begin,
      maxBatch,
      gatherMs,
      onBatch: (size) => onBatch(caip2, size),
    });
    return { relayer, batcher };
  };
  const [account, ...others] = accounts;
  const senders: [Sender, ...Sender[]] = [toSender(account), ...others.map(toSender)];
  const [first, ...rest] = senders;
  const network: SchemeNetwork = {
    caip2,
    chainId,
    tokens,
    contracts,
    reader,
    facilitators: [first.relayer.address, ...rest.map(({ relayer }) => relayer.address)],
    maxFeeWei: relay?.maxFeeWei,
    nowSeconds: () => Math.floor(nowMs() / 1000),
  };

  async function reserve(id: Hex, payment: Payment): Promise<void> {
    const { terms } = payment;
    const findBalance = () => reader.findValue(terms.asset, erc20Abi, "balanceOf", [terms.payer]);
    const short = await reservations.hold(id, terms, findBalance);
    if (!short) return;
    throw new PaymentError(
      "insufficient_funds",
      `The payer holds ${short.balance} units, too many of them for payments under way; this one needs ${terms.amountUnits}.`,
    );
  }

  const simulations = createSimulations({ reader, multicall3: contracts.multicall3, hasMulticall });
  const settler = createSettler({
    reader,
    senders,
    ledger,
    reservations,
    reserve,
    sponsor: createSponsor({
      ...{ reader, waitMs: 30_000, pollMs: 100, ...defaultRelay, ...relay, signal },
      ...(shared && { alone: (payer, work) => runAlone(shared.store, `approval of ${payer}`, work, sponsorMs) }),
    }),
    simulations,
    nowMs,
    maxGas,
    onError,
  });
  async function close(): Promise<void> {
    const rested = settler.rest();
    const slept = new AbortController();
    await Promise.race([rested, pause(closeMs, slept.signal)]);
    slept.abort();
    // Anything the network has not answered yet is requested again at the next start.
    closing.abort();
    await rested;
  }

  const release = (id: Hex, { terms }: Payment) => reservations.release(id, terms);
  return { network, store, ledger, settler, simulations, reserve, release, nowMs, close };
}
