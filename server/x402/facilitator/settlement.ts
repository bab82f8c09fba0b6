/**
 * The settlement of one payment as a state machine: a table of every state, its possible events, and the state that
 * each event leads to. settlementSteps.ts has the code for each state. After a crash, the settlement resumes from the
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
  /** Includes the payment in a transaction. The signed bytes are recorded in the ledger before they are sent. */
  prepared: {
    receiptFound: "mined",
    // No receipt arrived within `waitMs`. In the ledger, the payment is still in flight. The next request or sweep
    // continues at `recorded`.
    receiptMissing: "pending",
    refusedByNode: "failed",
    takenByAnotherInstance: "asked",
  },
  /** Looks for the recorded transaction. If it isn't in a block, sends the same bytes again. */
  recorded: {
    receiptFound: "mined",
    receiptMissing: "pending",
    // Another account submitted the authorization to the token.
    usedByAnother: "used",
    useUnconfirmed: "pending",
    useNotFound: "failed",
    // A new transaction will replace the old one. If the authorization has expired, the checks in `unsent` reject the
    // payment.
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
    // Other payments in the batch may have caused the failure, so the payment is sent again on its own.
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
  /** A step threw an error. Determines whether the payment was rejected or its outcome is unknown. */
  interrupted: {
    networkSilent: "pending",
    usedByAnother: "used",
    useUnconfirmed: "pending",
    refused: "failed",
  },
  /** Final: the payee was paid. collectSettlement.ts decides which caller receives the success. */
  settled: {},
  /**
   * Final for this attempt: the transaction may have been sent, but its outcome is unknown. The caller gets
   * settlement_pending.
   */
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
  /** `replaces` is the payment's recorded transaction if it can no longer settle the payment. */
  unsent: { isAlone?: boolean; replaces?: Hex | undefined };
  /** `sender` is the only account that may send the call. If it is undefined, any account may. */
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
