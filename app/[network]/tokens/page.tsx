/** All tokens, most holders first. */
import type { Metadata } from "next";
import { getSource, type PageProps, toSingle, withQueries } from "@/app/[network]/loadPage";
import { TokenList } from "@/components/token/TokenList";
import { tokensQuery } from "@/lib/query/explorerQueries";

export const metadata: Metadata = { title: "Tokens" };

export default async function TokensPage({ params, searchParams }: PageProps) {
  const source = await getSource((await params).network);
  const cursor = toSingle((await searchParams).after);
  return withQueries([tokensQuery(source, cursor)], <TokenList key={cursor ?? "first"} cursor={cursor} />);
}
