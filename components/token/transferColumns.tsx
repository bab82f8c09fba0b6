/**
 * The columns of a list of token transfers.
 */
import { AddressLink } from "@/components/chain/AddressLink";
import { Age } from "@/components/chain/Age";
import { BlockLink } from "@/components/chain/BlockLink";
import type { Column } from "@/components/chain/DataTable";
import { Icon } from "@/components/chain/Icon";
import { TxLink } from "@/components/chain/TxLink";
import { AnyTokenAmount, TokenLink } from "@/components/token/TokenParts";
import { t } from "@/lib/messages/translate";
import type { TokenTransferRow } from "@/lib/rpc/explorerAddressShapes";

const zeroAddress = `0x${"00".repeat(20)}`;

function Party({ address, current, word }: { address: string; current: string | undefined; word: string }) {
  if (address === zeroAddress) return <span className="text-ink-3">{word}</span>;
  return <AddressLink address={address} current={address === current} />;
}

const From = ({ row, current }: { row: TokenTransferRow; current: string | undefined }) => (
  <Party address={row.from} current={current} word={t("transfers.minted")} />
);
const To = ({ row, current }: { row: TokenTransferRow; current: string | undefined }) => (
  <Party address={row.to} current={current} word={t("transfers.burned")} />
);

export const getTransferKey = (row: TokenTransferRow) => `${row.blockNumber}-${row.logIndex}`;

/** current is the party the page is about, in lowercase; withToken is for lists of several tokens. */
export function toTransferColumns({
  current,
  withToken,
}: {
  current?: string;
  withToken: boolean;
}): Column<TokenTransferRow>[] {
  const direction: Column<TokenTransferRow> = {
    id: "direction",
    head: <span className="sr-only">{t("column.direction")}</span>,
    width: "sm:w-14",
    cell: (row) => (
      <span className="method">
        {t(row.from === row.to ? "direction.self" : row.from === current ? "direction.out" : "direction.in")}
      </span>
    ),
  };
  const token: Column<TokenTransferRow> = {
    id: "token",
    head: t("column.token"),
    width: "sm:w-32",
    cell: (row) => <TokenLink token={row.token} />,
  };
  return [
    {
      id: "hash",
      head: t("column.transaction"),
      width: "sm:w-44",
      narrow: "lead",
      cell: (row) => <TxLink hash={row.transactionHash} characters={13} />,
    },
    {
      id: "block",
      head: t("column.block"),
      width: "sm:w-24",
      cell: (row) => <BlockLink number={Number(row.blockNumber)} />,
    },
    {
      id: "age",
      head: t("column.age"),
      width: "sm:w-24",
      narrow: "trail",
      cell: (row) => <Age timestamp={Number(row.timestamp)} className="text-ink-2" />,
    },
    { id: "from", head: t("column.from"), cell: (row) => <From row={row} current={current} /> },
    ...(current === undefined ? [] : [direction]),
    { id: "to", head: t("column.to"), cell: (row) => <To row={row} current={current} /> },
    {
      id: "parties",
      head: t("column.parties"),
      width: "sm:hidden",
      narrow: "below",
      cell: (row) => (
        <span className="parties flex items-center gap-1.5">
          <From row={row} current={current} />
          <Icon name="arrow" className="text-ink-3" />
          <To row={row} current={current} />
        </span>
      ),
    },
    {
      id: "amount",
      head: t("column.amount"),
      align: "right",
      width: "sm:w-40",
      narrow: "belowTrail",
      cell: (row) => <AnyTokenAmount token={row.token} units={BigInt(row.amount)} />,
    },
    ...(withToken ? [token] : []),
  ];
}
