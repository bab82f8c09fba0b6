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
import type { SearchItem } from "@/components/search/searchItems";
import { useSearch } from "@/components/search/useSearch";
import { findIdentifier, toSearchPath } from "@/lib/links";
import type { Network } from "@/lib/networks";
import { plural } from "@/lib/plural";

type Props = { text: string; others: { name: string; label: string }[] };

export function SearchScreen({ text, others }: Props) {
  const { items, suggestions } = useSearch(text);
  return (
    <>
      <div className="page-title">
        <h1 className="wrap-anywhere">Search: {text}</h1>
        {items.length > 0 && (
          <p className="text-ink-2">
            {items.length} {plural(items.length, "result")}
          </p>
        )}
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
            <ResultText item={item} />
          </AppLink>
        </li>
      ))}
    </ul>
  );
}

/** Like SearchOption, but with room for the whole detail: in its own column, or below the title. */
function ResultText({ item: { kind, title, isCode, detail } }: { item: SearchItem }) {
  return (
    <span className="grid min-w-0 flex-1 gap-x-4 sm:grid-cols-[6rem_minmax(0,1fr)] lg:grid-cols-[6rem_20rem_minmax(0,1fr)]">
      <span className="label sm:leading-5">{kind}</span>
      <span className={`wrap-anywhere min-w-0 text-ink ${isCode ? "mono" : ""}`}>{title}</span>
      {detail && (
        <span className="line-clamp-2 min-w-0 text-13 text-ink-2 sm:max-lg:col-start-2" title={detail}>
          {detail}
        </span>
      )}
    </span>
  );
}

/** Texts to search for if nothing matches, one of each kind. */
function toExamples(network: Network): string[] {
  const [token] = network.tokens;
  return [...(token ? [token.symbol, token.address.slice(0, 6)] : []), "Permit2", "eth_getBalance", "payments"];
}

function Nothing({ text, others, suggestions }: Props & { suggestions: SearchItem[] }) {
  const network = useNetwork();
  const identifier = findIdentifier(text);
  return (
    <Empty level="h2" title={`No results on ${network.label}`}>
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
            {toExamples(network).map((example) => (
              <AppLink key={example} href={toSearchPath(network.name, example)} className="button">
                {example}
              </AppLink>
            ))}
          </p>
        </>
      )}
    </Empty>
  );
}
