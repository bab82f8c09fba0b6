"use client";
/** A transaction's EIP-7702 authorizations: who signed each one, and whether it was in effect after the block. */
import { AddressLink } from "@/components/atoms/AddressLink";
import { Sheet } from "@/components/layout/Sheet";
import { type Column, DataTable } from "@/components/lists/DataTable";
import { noAddress } from "@/lib/decode/transfers";
import { plural } from "@/lib/plural";
import type { RpcResult } from "@/lib/rpc/methods";

type Effects = NonNullable<RpcResult<"explorer_getTransactionEffects">>;
type Row = Effects["authorizations"][number] & { place: number; isMined: boolean };

function Outcome({ row }: { row: Row }) {
  if (!row.isMined) return <span className="text-ink-3">not mined yet</span>;
  if (row.address === noAddress && row.delegatedTo === null) return "cleared";
  if (row.delegatedTo === row.address) return <span className="text-pos">in force</span>;
  return (
    <span className="text-neg" title="Its chain, nonce or signature was invalid, or a later authorization replaced it">
      not in force
    </span>
  );
}

const columns: Column<Row>[] = [
  {
    id: "authority",
    head: "Account",
    narrow: "lead",
    cell: (row) =>
      row.authority ? <AddressLink address={row.authority} /> : <span className="text-neg">invalid signature</span>,
  },
  {
    id: "delegate",
    head: "Delegates to",
    narrow: "below",
    cell: (row) =>
      row.address === noAddress ? (
        <span className="text-ink-3">none: clears the delegation</span>
      ) : (
        <AddressLink contract address={row.address} />
      ),
  },
  {
    id: "chain",
    head: "Chain",
    align: "right",
    width: "md:w-24",
    cell: (row) => (Number(row.chainId) === 0 ? "any" : BigInt(row.chainId).toString()),
  },
  {
    id: "nonce",
    head: "Nonce",
    align: "right",
    width: "md:w-24",
    narrow: "belowTrail",
    cell: (row) => BigInt(row.nonce).toString(),
  },
  {
    id: "outcome",
    head: "After the block",
    width: "md:w-40",
    narrow: "trail",
    cell: (row) => <Outcome row={row} />,
  },
];

export function TransactionAuthorizations({ effects }: { effects: Effects }) {
  const isMined = effects.blockNumber !== null;
  const rows = effects.authorizations.map((each, place): Row => ({ ...each, place, isMined }));
  const title = `${rows.length} ${plural(rows.length, "authorization")} (EIP-7702)`;
  return (
    <Sheet id="authorizations" title={title}>
      <p className="border-line border-b px-4 py-2 text-13 text-ink-2">
        Each delegates an account to another address’s code until the account signs a new authorization.
      </p>
      <DataTable caption={title} columns={columns} rows={rows} getKey={(row) => String(row.place)} />
    </Sheet>
  );
}
