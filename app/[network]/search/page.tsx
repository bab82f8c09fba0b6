/** The target of the search form: redirects to the result, or explains why nothing was found. */
import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { getSource, type PageProps, toSingle } from "@/app/[network]/loadPage";
import { SearchMissing } from "@/components/search/SearchMissing";
import { toResultPath } from "@/components/search/searchResult";
import { toHomePath } from "@/lib/links";
import { getNode } from "@/server/node/instance";

export const metadata: Metadata = { title: "Search" };

export default async function SearchPage({ params, searchParams }: PageProps) {
  const source = await getSource((await params).network);
  const text = (toSingle((await searchParams).q) ?? "").trim().slice(0, 200);
  if (text === "") redirect(toHomePath(source.network));
  const { items, lookedUp } = await source.request({ method: "explorer_search", params: [text] });
  const [first] = items;
  if (first) redirect(toResultPath(source.network, first));
  const others = [...(await getNode()).networks.values()]
    .map(({ network: { name, label } }) => ({ name, label }))
    .filter(({ name }) => name !== source.network);
  return <SearchMissing text={text} lookedUp={lookedUp} others={others} />;
}
