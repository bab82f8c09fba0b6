/**
 * The accounts page: lists the accounts that an embedded chain funds at genesis, with their private keys, and offers
 * the faucet.
 */
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getAddress } from "viem";
import { getSource, type PageProps, toSingle, withQueries } from "@/app/[network]/loadPage";
import { AccountsScreen } from "@/components/accounts/AccountsScreen";
import { balanceQuery, pageSize, tokenBalanceQuery } from "@/lib/query/queries";
import { getNode } from "@/server/node/instance";

export const metadata: Metadata = { title: "Test accounts" };

export default async function AccountsPage({ params, searchParams }: PageProps) {
  const source = await getSource((await params).network);
  const node = await getNode();
  const { network } = node.networks.get(source.network)!;
  if (!network.embedded) notFound();
  const after = toSingle((await searchParams).after);
  const start = after !== undefined && /^\d{1,6}$/.test(after) ? Number(after) : 0;
  const all = node.listAccounts(network.name);
  const accounts = all
    .slice(start, start + pageSize)
    .map((account) => ({ ...account, address: getAddress(account.address) }));
  const [token] = network.tokens;
  const queries = accounts.flatMap(({ address }) => [
    balanceQuery(source, address),
    ...(token ? [tokenBalanceQuery(source, token.address, address)] : []),
  ]);
  return withQueries(queries, <AccountsScreen accounts={accounts} start={start} total={all.length} />);
}
