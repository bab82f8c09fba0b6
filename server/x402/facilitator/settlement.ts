/**
 * The settlement of one payment as a state machine: a table of every state, its possible events, and the state that
 * each event leads to. settlementSteps.ts does the work of each state. After a crash, the settlement resumes from the
 * ledger.
 */
import type { Hex } from "@/lib/x402/types";
import type { PaymentRecord } from "@/server/ports/store";
import type { GasShare } from "@/server/x402/facilitator/ledger";
import type { FacilitatorPayment } from "@/server/x402/facilitator/payment";
import type { GasCall } from "@/server/x402/facilitator/relayer";
import type { WireReceipt } from "@/server/x402/reads/reader";

export const transitions = {
  /** Reads the ledger. Every settlement starts here, even after a crash. */
  asked: {
    notInFlight: "unsent",
    inFlight: "recorded",
    settledBefore: "settled",
    differsFromLedger: "failed",
  },
  /** Checks the payment, sends its Permit2 approval if it includes one, and determines the gas. */
  unsent: {
    checked: "prepared",
    nothingToCharge: "settled",
  },
  /** Puts the payment into a transaction: the ledger records the signed bytes, and only then are they sent. */
  prepared: {
    receiptFound: "mined",
    // No receipt within `waitMs`. The ledger keeps the payment in flight. The next request or sweep continues at
    // `recorded`.
    receiptMissing: "pending",
    refusedByNode: "failed",
    takenByAnotherInstance: "asked",
  },
  /** Looks for the recorded transaction. If it is in no block, sends the same bytes again. */
  recorded: {
    receiptFound: "mined",
    receiptMissing: "pending",
    // Another account submitted the authorization to the token.
    usedByAnother: "used",
    useUnconfirmed: "pending",
    useNotFound: "failed",
    // A new transaction replaces the old one. If the authorization has expired, the checks in `unsent` reject it.
    expired: "unsent",
    bytesMissing: "unsent",
    refusedByNode: "unsent",
  },
  /** Our transaction is in a block. Determines whether the transaction used the authorization. */
  mined: {
    succeeded: "used",
    // Our transaction reverted because another account had submitted the authorization first.
    usedByAnother: "used",
    useUnconfirmed: "pending",
    // Other payments of the batch may have made it fail, so the payment is sent again alone.
    failedInBatch: "unsent",
    reverted: "failed",
  },
  /**
   * A successful transaction used the authorization. Determines whether it transferred the agreed amount to the payee.
   */
  used: {
    transferred: "settled",
    notTransferred: "failed",
  },
  /** A step threw. Determines whether the payment was rejected or its outcome is unknown. */
  interrupted: {
    networkSilent: "pending",
    usedByAnother: "used",
    useUnconfirmed: "pending",
    refused: "failed",
  },
  /** Final: the payee was paid. collectSettlement.ts decides which caller receives the success. */
  settled: {},
  /** Final for this attempt: sent, but the outcome is unknown. The caller gets settlement_pending. */
  pending: {},
  /** Final: the payee was not paid, and nothing is in flight. */
  failed: {},
} as const;

type Transitions = typeof transitions;
export type SettlementState = keyof Transitions;
type EventOf<State extends SettlementState> = keyof Transitions[State];
type NextOf<State extends SettlementState, Event extends EventOf<State>> = Transitions[State][Event] & SettlementState;

/** The data of a settlement in each state. */
type StateData = {
  asked: object;
  /** `replaces` is the payment's recorded transaction, which can no longer settle it. */
  unsent: { isAlone?: boolean; replaces?: Hex | undefined };
  /** `sender` is the only account that may send the call; undefined allows any account. */
  prepared: { call: GasCall; batchKey: string | undefined; sender: Hex | undefined; replaces?: Hex | undefined };
  recorded: { record: PaymentRecord };
  mined: { receipt: WireReceipt; batch: PaymentRecord["batch"] };
  /** `gas` is the gas that our own transaction used. */
  used: { receipt: WireReceipt; gas?: GasShare | undefined };
  interrupted: { error: unknown };
  settled: { transaction: Hex | undefined; units: bigint };
  pending: { transaction: Hex | undefined };
  failed: { error: unknown };
};

type Common<State> = { state: State; payment: FacilitatorPayment };
export type Settlement<State extends SettlementState = SettlementState> = {
  [Each in State]: Common<Each> & StateData[Each];
}[State];

/** Moves a settlement to the state that the event leads to. */
export function advance<State extends SettlementState, Event extends EventOf<State>>(
  { state, payment }: Common<State>,
  event: Event,
  data: StateData[NextOf<State, Event>],
): Settlement {
  return { ...data, payment, state: transitions[state][event] } as Settlement;
}
