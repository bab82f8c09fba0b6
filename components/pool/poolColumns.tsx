"use client";
import type { ReactNode } from "react";
import { AddressLink } from "@/components/atoms/AddressLink";
import { Age } from "@/components/atoms/Age";
import { GasPrice } from "@/components/atoms/Amount";
import { Hinted } from "@/components/atoms/Hinted";
import { Icon } from "@/components/atoms/Icon";
import { Method } from "@/components/atoms/Method";
import { Status } from "@/components/atoms/Status";
import { TxLink } from "@/components/atoms/TxLink";
import type { AmountShape } from "@/components/lists/amountShape";
import type { Column } from "@/components/lists/DataTable";
import { PartiesCell } from "@/components/lists/PartiesCell";
import { LeftReason } from "@/components/pool/LeftReason";
import { Nonces } from "@/components/pool/Nonces";
import type { NonceGap } from "@/components/pool/nonceGaps";
import { findOwnTransfer, Value } from "@/components/transaction/transactionColumns";
import type { PendingSummary } from "@/lib/query/wire";
import type { RpcResult } from "@/lib/rpc/methods";

type LeftRow = RpcResult<"explorer_getPool">["left"][number];

export type Wait = {
  /** Every missing nonce that the transaction waits for, if they are known. */
  gaps: readonly NonceGap[];
  /** Which of the sender's max fees is below the base fee: this transaction's, or that of one with a lower nonce. */
  low: "own" | "earlier" | undefined;
};

function Reason({ row, wait: { gaps, low } }: { row: PendingSummary; wait: Wait }): ReactNode {
  if (gaps.length > 0) {
    return (
      <>
        Missing <Nonces gaps={gaps} />
      </>
    );
  }
  if (row.missingNonce !== null) return `Missing nonce ${Number(row.missingNonce)}`;
  if (low === "own") return "Max fee below the base fee";
  if (low === "earlier") return `Behind nonce ${Number(row.nonce) - 1}`;
  return row.poolStatus === "pending" ? "Ready for the next block" : "Waiting for an earlier transaction";
}

function Recipient({ row }: { row: PendingSummary }) {
  const to = findOwnTransfer(row, undefined)?.to ?? row.to;
  return to === null ? <span className="text-ink-3">Contract creation</span> : <AddressLink address={to} />;
}

/** The sender and, where it has no column of its own, the recipient below it. */
function Parties({ row }: { row: PendingSummary }) {
  return (
    <span className="flex flex-col items-start gap-y-1 max-xl:py-2">
      <AddressLink address={row.from} />
      <span className="flex max-w-full items-center gap-x-1 xl:hidden">
        <Icon name="arrow" className="text-ink-3" />
        <Recipient row={row} />
      </span>
    </span>
  );
}

const MaxFee = ({ row }: { row: PendingSummary }) => <GasPrice inGwei wei={BigInt(row.maxFeePerGas)} />;

/** A tip can be a few wei, which in gwei would be mostly zeros. */
const Tip = ({ row }: { row: PendingSummary }) => <GasPrice wei={BigInt(row.maxPriorityFeePerGas)} />;

/** What a phone shows below the status. */
function Movement({ row, values }: { row: PendingSummary; values: AmountShape }) {
  return (
    <span className="flex flex-wrap justify-between gap-x-3">
      <PartiesCell from={<AddressLink address={row.from} />} to={<Recipient row={row} />} />
      <span className="ml-auto">
        <Value row={row} {...values} />
      </span>
      <span className="flex basis-full flex-wrap justify-end gap-x-3 text-ink-2">
        <span>
          max fee <MaxFee row={row} />
        </span>
        <span>
          tip <Tip row={row} />
        </span>
      </span>
    </span>
  );
}

/** The max fee. If they have no columns of their own, the value is above it, and the tip below. */
function Fees({ row, values }: { row: PendingSummary; values: AmountShape }) {
  return (
    <span className="flex flex-col items-end md:max-lg:py-2">
      <span className="lg:hidden [&_.fill]:hidden">
        <Value row={row} {...values} unitAligned={false} />
      </span>
      {/* A long price moves below its label. */}
      <span className="whitespace-normal text-right">
        <span className="text-ink-3 2xl:hidden">max </span>
        <MaxFee row={row} />
      </span>
      <span className="whitespace-normal text-right 2xl:hidden">
        <span className="text-ink-3">tip </span>
        <Tip row={row} />
      </span>
    </span>
  );
}

function Nonce({ row }: { row: { nonce: string } }) {
  return (
    <>
      <span className="text-ink-3 md:hidden">nonce </span>
      {Number(row.nonce)}
    </>
  );
}

const hash: Column<PendingSummary> = {
  id: "hash",
  head: (
    <>
      Transaction<span className="hidden md:max-lg:inline">, action</span>
    </>
  ),
  narrow: "lead",
  width: "md:w-34 lg:w-36 2xl:w-56",
  cell: (row) => (
    <span className="flex flex-col items-start gap-y-1">
      <TxLink hash={row.hash} />
      <span className="hidden md:max-lg:inline">
        <CalledMethod row={row} />
      </span>
    </span>
  ),
};

const method: Column<PendingSummary> = {
  id: "method",
  head: "Action",
  width: "md:max-lg:hidden lg:w-28 2xl:w-36",
  narrow: "middle",
  cell: (row) => <CalledMethod row={row} />,
};

function CalledMethod({ row }: { row: PendingSummary }) {
  return <Method selector={row.selector} name={row.method} creates={row.to === null} />;
}

const recipientHint = "If the call transfers a token, the recipient of that transfer";

const parties: Column<PendingSummary>[] = [
  {
    id: "from",
    head: (
      <>
        From<span className="xl:hidden"> and to</span>
      </>
    ),
    cell: (row) => <Parties row={row} />,
  },
  {
    id: "to",
    head: <Hinted hint={recipientHint}>To</Hinted>,
    width: "max-xl:hidden",
    cell: (row) => <Recipient row={row} />,
  },
];

export const toWaitingColumns = (
  values: AmountShape,
  toWait: (row: PendingSummary) => Wait,
): Column<PendingSummary>[] => [
  hash,
  method,
  {
    id: "status",
    head: "Status",
    narrow: "below",
    width: "md:w-34 lg:w-44 2xl:w-92",
    cell: (row) => (
      <span className="flex items-center gap-x-3 whitespace-normal max-md:flex-wrap md:py-2 md:max-2xl:flex-col md:max-2xl:items-start">
        <Status name={row.poolStatus} />
        {/* Phones give it its own line. Otherwise, it would wrap when the age beside it gets longer. */}
        <span className="text-13 text-ink-2 max-md:basis-full">
          <Reason row={row} wait={toWait(row)} />
        </span>
      </span>
    ),
  },
  ...parties,
  {
    id: "nonce",
    head: "Nonce",
    align: "right",
    width: "md:w-14 lg:w-16",
    narrow: "trail",
    cell: (row) => <Nonce row={row} />,
  },
  {
    id: "value",
    head: "Value",
    align: "right",
    width: "max-lg:hidden lg:w-40 xl:w-36 2xl:w-40",
    cell: (row) => <Value row={row} {...values} />,
  },
  {
    id: "maxFee",
    head: (
      <>
        <span className="lg:hidden">Value, max fee, tip</span>
        <span className="max-lg:hidden">
          Max fee<span className="2xl:hidden">, tip</span>
        </span>
      </>
    ),
    align: "right",
    width: "md:w-40 lg:w-32 xl:w-44 2xl:w-32",
    cell: (row) => <Fees row={row} values={values} />,
  },
  { id: "tip", head: "Tip", align: "right", width: "max-2xl:hidden 2xl:w-30", cell: (row) => <Tip row={row} /> },
  {
    id: "seen",
    head: "Received",
    align: "right",
    // The last visible column, before one that only phones show.
    width: "md:w-24 md:pr-4 2xl:w-28",
    narrow: "belowTrail",
    cell: (row) => <Age timestamp={Math.floor(Number(row.seenAt) / 1000)} className="text-ink-2" />,
  },
  {
    id: "movement",
    head: "From, to, value and fees",
    width: "md:hidden",
    narrow: "last",
    cell: (row) => <Movement row={row} values={values} />,
  },
];

export const leftColumns: Column<LeftRow>[] = [
  {
    id: "hash",
    head: "Transaction",
    narrow: "lead",
    width: "md:w-32 lg:w-44",
    cell: (row) => <TxLink hash={row.hash} />,
  },
  {
    id: "status",
    head: "Status",
    narrow: "trail",
    width: "md:w-26 lg:w-32",
    cell: (row) => <Status name={row.status} />,
  },
  {
    id: "sender",
    head: "From",
    width: "md:w-29 lg:w-48",
    narrow: "last",
    cell: (row) => (
      <span className="flex justify-between gap-x-3">
        <AddressLink address={row.from} />
        <span className="md:hidden">
          <Nonce row={row} />
        </span>
      </span>
    ),
  },
  { id: "nonce", head: "Nonce", align: "right", width: "md:w-14 lg:w-20", cell: (row) => <Nonce row={row} /> },
  {
    id: "reason",
    head: "Reason",
    width: "whitespace-normal md:py-1.5",
    narrow: "below",
    cell: (row) => <LeftReason reason={row.reason ?? ""} />,
  },
  {
    id: "when",
    head: "When",
    align: "right",
    narrow: "belowTrail",
    width: "md:w-24 lg:w-28",
    cell: (row) => <Age timestamp={Math.floor(Number(row.changedAt) / 1000)} className="text-ink-2" />,
  },
];
