/**
 * The page that the search form opens. If one result is clearly meant, it redirects there. Otherwise, it lists the
 * results.
 */
import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { getSource, type PageProps, toSingle, withQueries } from "@/app/[network]/loadPage";
import { SearchScreen } from "@/components/search/SearchScreen";
import { findDirect, toSearchItems } from "@/components/search/searchItems";
import { toHomePath } from "@/lib/links";
import { toNameTable } from "@/lib/names";
import { listPages } from "@/lib/pages";
import { pagesQuery } from "@/lib/query/pages";
import { searchQuery } from "@/lib/query/queries";
import { getNode } from "@/server/node/instance";

export const metadata: Metadata = { title: "Search" };

export default async function SearchPage({ params, searchParams }: PageProps) {
  const source = await getSource((await params).network);
  const text = (toSingle((await searchParams).q) ?? "").trim().slice(0, 200);
  if (text === "") redirect(toHomePath(source.network));
  const node = await getNode();
  const { items, lookedUp } = await source.request({ method: "explorer_search", params: [text] });
  const names = toNameTable(node.listNames(source.network));
  const { network } = node.networks.get(source.network)!;
  const found = toSearchItems(network.name, { names, pages: listPages(network) }, text, items);
  const direct = findDirect(found, lookedUp);
  if (direct) redirect(direct.path);
  const others = [...node.networks.values()]
    .map(({ network: { name, label } }) => ({ name, label }))
    .filter(({ name }) => name !== source.network);
  return withQueries([searchQuery(source, text), pagesQuery(network)], <SearchScreen text={text} others={others} />);
}
