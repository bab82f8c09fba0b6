"use client";
/**
 * The search page: every result for the text. If there are none, it shows how the text was interpreted and what else to
 * try.
 */
import { AppLink } from "@/components/layout/AppLink";
import { Empty } from "@/components/layout/Empty";
import { useNetwork } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { addRecent } from "@/components/search/recents";
import { SearchOption } from "@/components/search/SearchOption";
import type { SearchItem } from "@/components/search/searchItems";
import { useSearch } from "@/components/search/useSearch";
import { findIdentifier, toConsolePath, toSearchPath, toSectionPath } from "@/lib/links";
import type { Network } from "@/lib/networks";
import { plural } from "@/lib/plural";

type Props = { text: string; others: { name: string; label: string }[] };

export function SearchScreen({ text, others }: Props) {
  const { items, suggestions } = useSearch(text);
  return (
    <>
      <div className="page-title">
        <h1 className="wrap-anywhere">Search: {text}</h1>
        <p className="text-ink-2">
          {items.length} {plural(items.length, "result")}
        </p>
      </div>
      <Sheet>
        {items.length > 0 ? (
          <Results items={items} />
        ) : (
          <Nothing text={text} others={others} suggestions={suggestions} />
        )}
      </Sheet>
    </>
  );
}

function Results({ items }: { items: SearchItem[] }) {
  return (
    <ul>
      {items.map((item) => (
        <li key={`${item.kind}${item.path}`} className="border-line border-b last:border-b-0">
          <AppLink
            bare
            href={item.path}
            onClick={() => addRecent(item)}
            className="flex min-h-11 items-center gap-3 px-4 py-2 no-underline hover:bg-lit focus-visible:-outline-offset-2"
          >
            <SearchOption item={item} />
          </AppLink>
        </li>
      ))}
    </ul>
  );
}

/** Searches and pages to suggest if nothing matches, one of each kind. */
function toExamples(network: Network): { label: string; path: string }[] {
  const [token] = network.tokens;
  return [
    ...(token ? [{ label: token.symbol, path: toSearchPath(network.name, token.symbol) }] : []),
    { label: "Permit2", path: toSearchPath(network.name, "Permit2") },
    { label: "eth_getBalance", path: toConsolePath(network.name, "eth_getBalance") },
    { label: "Latest blocks", path: toSectionPath(network.name, "blocks") },
    { label: "Payments", path: toSectionPath(network.name, "payments") },
  ];
}

function Nothing({ text, others, suggestions }: Props & { suggestions: SearchItem[] }) {
  const network = useNetwork();
  const identifier = findIdentifier(text);
  return (
    <Empty level="h2" title={`No results for “${text}” on ${network.label}`}>
      <p>
        {identifier === undefined
          ? "No token, contract, account, method or page has this name, and no hash or address starts with it."
          : identifier.kind === "number"
            ? "There is no block with this number."
            : "There is no transaction, block or payment with this hash."}
      </p>
      {suggestions.length > 0 && (
        <>
          <p>Did you mean:</p>
          <div className="w-full rounded-md border border-line">
            <Results items={suggestions} />
          </div>
        </>
      )}
      {identifier !== undefined && others.length > 0 && (
        <>
          <p>Try another network:</p>
          <p className="flex flex-wrap gap-2">
            {others.map(({ name, label }) => (
              <AppLink key={name} href={toSearchPath(name, text)} className="button">
                {label}
              </AppLink>
            ))}
          </p>
        </>
      )}
      {identifier === undefined && suggestions.length === 0 && (
        <>
          <p>You can search for a name, a number, or the first characters of a hash or address. For example:</p>
          <p className="flex flex-wrap gap-2">
            {toExamples(network).map(({ label, path }) => (
              <AppLink key={label} href={path} className="button">
                {label}
              </AppLink>
            ))}
          </p>
        </>
      )}
    </Empty>
  );
}
