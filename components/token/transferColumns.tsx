import { AddressLink } from "@/components/atoms/AddressLink";
import type { Column } from "@/components/lists/DataTable";
import { toMovementColumns } from "@/components/lists/movementColumns";
import { AnyTokenAmount, TokenLink, toTokenDigits } from "@/components/token/TokenParts";
import { toActionColumn } from "@/components/transaction/transactionColumns";
import type { PageNetwork } from "@/lib/networks";
import type { TokenTransferRow } from "@/lib/rpc/explorerAddressShapes";

const zeroAddress = `0x${"00".repeat(20)}`;

function Party({ address, current, word }: { address: string; current: string | undefined; word: string }) {
  if (address === zeroAddress) return <span className="text-ink-3">{word}</span>;
  return <AddressLink address={address} current={address === current} />;
}

export const getTransferKey = (row: TokenTransferRow) => `${row.blockNumber}-${row.logIndex}`;

/**
 * `current` is the address that the page is about, in lowercase. `withToken` adds the token, for lists with several
 * tokens; otherwise, `symbol` is the symbol of the only one. Amounts have as many decimals as the rows need.
 */
export function toTransferColumns({
  rows,
  tokens,
  current,
  withToken,
  symbol,
}: {
  rows: readonly TokenTransferRow[];
  tokens: PageNetwork["tokens"];
  current?: string;
  withToken: boolean;
  symbol?: string | undefined;
}): Column<TokenTransferRow>[] {
  const fractionDigits = toTokenDigits(
    tokens,
    rows.map(({ amount, token }) => ({ units: BigInt(amount), token })),
  );
  const token: Column<TokenTransferRow> = {
    id: "token",
    head: "Token",
    width: "md:w-22 lg:w-28",
    cell: (row) => <TokenLink token={row.token} />,
  };
  return [
    ...toMovementColumns<TokenTransferRow>({
      action: toActionColumn(rows),
      from: (row) => <Party address={row.from} current={current} word="minted" />,
      to: (row) => <Party address={row.to} current={current} word="burned" />,
      current,
      rows,
    }),
    {
      id: "amount",
      head: <>Amount{symbol !== undefined && <span className="font-normal"> {symbol}</span>}</>,
      align: "right",
      width: `md:w-28 ${fractionDigits > 2 ? "lg:w-32" : "lg:w-27"} 2xl:w-40`,
      narrow: "belowTrail",
      cell: (row) => (
        <AnyTokenAmount
          token={row.token}
          units={BigInt(row.amount)}
          unitInHead={withToken || symbol !== undefined}
          aligned={fractionDigits}
        />
      ),
    },
    ...(withToken ? [token] : []),
  ];
}
