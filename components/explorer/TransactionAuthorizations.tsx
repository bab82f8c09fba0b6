"use client";
/**
 * The EIP-7702 authorizations of a transaction: who signed which, and whether it was in force after the block.
 */
import { useQuery } from "@tanstack/react-query";
import { AddressLink } from "@/components/chain/AddressLink";
import { type Column, DataTable } from "@/components/chain/DataTable";
import { useSource } from "@/components/chain/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { noAddress } from "@/lib/decode/transfers";
import { t } from "@/lib/messages/translateTransaction";
import { transactionEffectsQuery } from "@/lib/query/transaction";
import type { RpcResult } from "@/lib/rpc/methods";

type Effects = NonNullable<RpcResult<"explorer_getTransactionEffects">>;
type Row = Effects["authorizations"][number] & { place: number; isMined: boolean };

function Outcome({ row }: { row: Row }) {
  if (!row.isMined) return <span className="text-ink-3">{t("authorizations.waiting")}</span>;
  if (row.address === noAddress && row.delegatedTo === null) return t("authorizations.ended");
  if (row.delegatedTo === row.address) return <span className="text-pos">{t("authorizations.inForce")}</span>;
  return (
    <span className="text-neg" title={t("authorizations.refusedHint")}>
      {t("authorizations.refused")}
    </span>
  );
}

const columns: Column<Row>[] = [
  {
    id: "authority",
    head: t("authorizations.authority"),
    narrow: "lead",
    cell: (row) =>
      row.authority ? (
        <AddressLink address={row.authority} />
      ) : (
        <span className="text-neg">{t("authorizations.noSigner")}</span>
      ),
  },
  {
    id: "delegate",
    head: t("authorizations.delegate"),
    narrow: "below",
    cell: (row) =>
      row.address === noAddress ? (
        <span className="text-ink-3">{t("authorizations.none")}</span>
      ) : (
        <AddressLink contract address={row.address} />
      ),
  },
  {
    id: "chain",
    head: t("authorizations.chain"),
    align: "right",
    width: "sm:w-24",
    cell: (row) => (Number(row.chainId) === 0 ? t("authorizations.anyChain") : BigInt(row.chainId).toString()),
  },
  {
    id: "nonce",
    head: t("authorizations.nonce"),
    align: "right",
    width: "sm:w-24",
    narrow: "belowTrail",
    cell: (row) => BigInt(row.nonce).toString(),
  },
  {
    id: "outcome",
    head: t("authorizations.outcome"),
    width: "sm:w-40",
    narrow: "trail",
    cell: (row) => <Outcome row={row} />,
  },
];

export function TransactionAuthorizations({ hash }: { hash: string }) {
  const { data } = useQuery(transactionEffectsQuery(useSource(), hash));
  if (!data || data.authorizations.length === 0) return null;
  const isMined = data.blockNumber !== null;
  const rows = data.authorizations.map((each, place): Row => ({ ...each, place, isMined }));
  const title = t("authorizations.title", { count: rows.length });
  return (
    <Sheet id="authorizations" title={title}>
      <p className="border-line border-b px-4 py-2 text-13 text-ink-2">{t("authorizations.hint")}</p>
      <DataTable caption={title} columns={columns} rows={rows} getKey={(row) => String(row.place)} />
    </Sheet>
  );
}
