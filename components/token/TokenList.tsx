"use client";
/** The tokens on a chain. If the network has no index, lists only the configured tokens, without counts. */
import { useQuery } from "@tanstack/react-query";
import { Hinted } from "@/components/atoms/Hinted";
import { useSource } from "@/components/layout/NetworkContext";
import type { Column } from "@/components/lists/DataTable";
import { ListSheet } from "@/components/lists/ListSheet";
import { plainPagerLabels } from "@/components/lists/Pager";
import { withTabletLine } from "@/components/lists/withTabletLine";
import { PaymentMethods, paymentMethodsHint } from "@/components/token/PaymentMethods";
import { AnyTokenAmount, Contract, TokenLink } from "@/components/token/TokenParts";
import { selectors } from "@/components/token/tokenSelectors";
import { useToken, useTotalSupply } from "@/components/token/useToken";
import { findShownAnswer } from "@/lib/decode/words";
import { toSectionPath } from "@/lib/links";
import { plural } from "@/lib/plural";
import { tokensQuery, viewQuery } from "@/lib/query/explorerQueries";
import type { TokenRow } from "@/lib/rpc/explorerAddressShapes";
import { formatInteger } from "@/lib/units";

const getKey = (row: TokenRow) => row.token;

/** The token's name, unless it is just the symbol. */
function OtherName({ token }: { token: string }) {
  const { data } = useQuery(viewQuery(useSource(), token, selectors.name));
  const name = findShownAnswer(data, 40);
  const { symbol } = useToken(token);
  return name === undefined || name === symbol ? null : (
    <span title={name} className="min-w-0 truncate text-ink-2">
      {name}
    </span>
  );
}

function Decimals({ token }: { token: string }) {
  return useToken(token).decimals;
}

function Supply({ token }: { token: string }) {
  const units = useTotalSupply(token);
  if (units === undefined) return null;
  return (
    <>
      <span className="[&_.fill]:hidden">
        <AnyTokenAmount aligned token={token} units={units} />
      </span>
      <span className="text-ink-3 md:hidden"> supply</span>
    </>
  );
}

const tokenColumn: Column<TokenRow> = {
  id: "token",
  head: "Token",
  narrow: "lead",
  width: "lg:w-39 xl:w-56 2xl:w-88",
  cell: (row) => (
    <span className="flex min-w-0 items-center gap-x-3">
      <TokenLink token={row.token} />
      <OtherName token={row.token} />
    </span>
  ),
};

const payments: Column<TokenRow> = {
  id: "payments",
  head: <Hinted hint={paymentMethodsHint}>Payments</Hinted>,
  width: "md:w-33 lg:w-36 xl:w-44 lg:pl-6",
  narrow: "last",
  cell: (row) => (
    <>
      <span className="text-ink-3 md:hidden">Payments: </span>
      <PaymentMethods token={row.token} />
      <span className="text-ink-3 md:hidden">
        {" · "}
        <Decimals token={row.token} /> decimals
      </span>
    </>
  ),
};

const holdersColumn: Column<TokenRow> = {
  id: "holders",
  head: "Holders",
  align: "right",
  width: "md:w-32 lg:w-20",
  narrow: "belowTrail",
  cell: ({ holders, transfers }) =>
    holders !== null && (
      <span className="max-md:text-ink-2">
        {formatInteger(BigInt(holders))}
        <span className="lg:hidden">{` ${plural(Number(holders), "holder")}`}</span>
        {transfers !== null && (
          <span className="md:hidden">
            {" · "}
            <Transfers count={transfers} />
          </span>
        )}
      </span>
    ),
};

/** "1,266 transfers" */
function Transfers({ count }: { count: string }) {
  return `${formatInteger(BigInt(count))} ${plural(Number(count), "transfer")}`;
}

/** On tablets, three columns are the second lines of others, so that contracts are shown whole. */
const columns: Column<TokenRow>[] = [
  withTabletLine(tokenColumn, "contract", (row) => (
    // Without room for a copy button beside it.
    <span className="[&_.icon-button]:hidden">
      <Contract address={row.token} />
    </span>
  )),
  {
    id: "contract",
    head: "Contract",
    width: "md:max-lg:hidden",
    narrow: "below",
    cell: (row) => <Contract address={row.token} />,
  },
  {
    id: "decimals",
    head: "Decimals",
    align: "right",
    width: "lg:w-20 max-lg:hidden",
    cell: (row) => <Decimals token={row.token} />,
  },
  withTabletLine(payments, "decimals", (row) => (
    <>
      <Decimals token={row.token} /> decimals
    </>
  )),
  {
    id: "supply",
    head: "Total supply",
    align: "right",
    width: "md:w-32 xl:w-36",
    narrow: "trail",
    cell: (row) => <Supply token={row.token} />,
  },
  withTabletLine(holdersColumn, "transfers", ({ transfers }) => transfers !== null && <Transfers count={transfers} />),
  {
    id: "transfers",
    head: "Transfers",
    align: "right",
    width: "lg:w-24 max-lg:hidden",
    cell: ({ transfers }) => transfers !== null && formatInteger(BigInt(transfers)),
  },
];

export function TokenList({ cursor }: { cursor: string | undefined }) {
  const source = useSource();
  return (
    <ListSheet
      id="tokens"
      title="Tokens"
      level="h1"
      query={tokensQuery(source, cursor)}
      columns={columns}
      getKey={getKey}
      path={toSectionPath(source.network, "tokens")}
      cursor={cursor}
      pagerLabels={plainPagerLabels}
      empty="No tokens on this network yet"
    />
  );
}
