"use client";
/**
 * The search page: every result for the text. If there are none, it shows how the text was interpreted and what else to
 * try.
 */
import { useState } from "react";
import { Hash } from "@/components/atoms/Hash";
import { Hashmark } from "@/components/atoms/Hashmark";
import { Icon } from "@/components/atoms/Icon";
import { AppLink } from "@/components/layout/AppLink";
import { useAddressName, useNetwork } from "@/components/layout/NetworkContext";
import { Marked, toWords } from "@/components/search/Marked";
import { addRecent } from "@/components/search/recents";
import type { SearchItem } from "@/components/search/searchItems";
import { useSearch } from "@/components/search/useSearch";
import { findIdentifier, toSearchPath } from "@/lib/links";
import { isContractName, maxResults } from "@/lib/names";
import type { Network } from "@/lib/networks";

type Props = { text: string; others: { name: string; label: string }[] };

export function SearchScreen({ text, others }: Props) {
  const { items, suggestions } = useSearch(text);
  return (
    <>
      <h1 className="wrap-anywhere">
        {items.length === 0 ? "No results" : "Results"} for “{text}”
      </h1>
      {items.length > 0 ? (
        <Results items={items} text={text} />
      ) : (
        <Nothing text={text} others={others} suggestions={suggestions} />
      )}
    </>
  );
}

/** How many results of a kind are shown, and whether there can be more. */
const toCount = (kind: string, { length }: SearchItem[]) =>
  kind !== "Method" && length >= maxResults ? `first ${length}` : length;

/** The results by kind. Kinds are in the order of their first result. */
function Results({ items, text }: { items: SearchItem[]; text: string }) {
  return (
    <div className="sheet">
      {[...new Set(items.map(({ kind }) => kind))].map((kind) => (
        <Group key={kind} kind={kind} items={items.filter((item) => item.kind === kind)} text={text} />
      ))}
    </div>
  );
}

/** Many methods contain the same word. The best matches are first. */
const shownMethods = 8;

function Group({ kind, items, text }: { kind: string; items: SearchItem[]; text: string }) {
  const [isWhole, setWhole] = useState(false);
  const id = `results-${kind.replace(" ", "-")}`;
  const isCut = !isWhole && kind === "Method" && items.length > shownMethods + 2;
  return (
    <section aria-labelledby={id} className="border-line border-b last:border-b-0">
      <h2 id={id} className="bg-sunken/45 px-4 py-1.5 font-medium text-12 text-ink-2">
        {headings[kind] ?? kind} <span className="ml-1.5 font-normal text-ink-3">{toCount(kind, items)}</span>
      </h2>
      <ul>
        {(isCut ? items.slice(0, shownMethods) : items).map((item) => (
          <li key={item.path} className="border-line border-t">
            <Result item={item} text={text} />
          </li>
        ))}
      </ul>
      {isCut && (
        <p className="border-line border-t px-4 py-2">
          <button type="button" className="button" onClick={() => setWhole(true)}>
            Show all {items.length} methods
          </button>
        </p>
      )}
    </section>
  );
}

const headings: Readonly<Record<string, string>> = {
  Page: "Pages",
  Block: "Blocks",
  Transaction: "Transactions",
  Pending: "Pending transactions",
  Address: "Addresses",
  Account: "Accounts",
  Contract: "Contracts",
  "Unused address": "Unused addresses",
  Label: "Your labels",
  Token: "Tokens",
  Payment: "Payments",
  "Paid resource": "Paid resources",
  Function: "Functions: open their transactions",
  Method: "Methods: open in the console",
};

/** The detail is in its own column or, on narrow screens, below the title. */
function Result({ item, text }: { item: SearchItem; text: string }) {
  const { path, title, isCode, address } = item;
  const detail = item.detail ?? (item.kind === "Page" ? path : undefined);
  const isNamedContract = isContractName(useAddressName(address ?? ""));
  const isContract = item.kind === "Token" || isNamedContract;
  const words = toWords(text);
  // A title that contains the search's words says why it was found. Otherwise, the detail does.
  const isTitleFound = words?.test(title) ?? false;
  return (
    <AppLink
      bare
      href={path}
      onClick={() => addRecent(item)}
      className="flex min-h-11 items-center gap-2 py-2 pr-3 pl-4 no-underline hover:bg-hover focus-visible:-outline-offset-2"
    >
      <span className="grid min-w-0 flex-1 gap-x-4 lg:grid-cols-[20rem_minmax(0,1fr)]">
        <span className={`wrap-anywhere flex min-w-0 items-center gap-x-2 text-accent ${isCode ? "mono" : ""}`}>
          {address && <Hashmark kind={isContract ? "contract" : "account"} id={address} />}
          <span className="min-w-0">
            <Marked text={title} words={words} />
          </span>
        </span>
        {detail && (
          // Below the title's text, not below the mark before it.
          <span
            className={`min-w-0 text-ink-2 ${address ? "max-lg:pl-[1.375rem]" : ""} ${/^0x|^\//.test(detail) ? "mono" : "text-13"}`}
          >
            {address && (
              <span className="sm:hidden">
                <Hash value={address} />
              </span>
            )}
            <span className={address ? "max-sm:hidden" : ""}>
              <Marked text={address ?? detail} words={isTitleFound ? undefined : words} />
            </span>
          </span>
        )}
      </span>
      <Icon name="right" className="text-ink-3" />
    </AppLink>
  );
}

/** Whether the text may be a part of a hash or address, such as “34cd” or “0x12ab…34cd”. Decimal numbers are not. */
const isHexPart = (text: string) => /^(?=.*[a-f…])(0x)?[0-9a-f]*(…|\.{3})?[0-9a-f]+$/i.test(text);

/** Texts to search for if nothing matches, one of each kind. */
function toExamples(network: Network): string[] {
  const [token] = network.tokens;
  return [...(token ? [token.symbol, token.address.slice(0, 6)] : []), "Permit2", "1", "eth_getBalance"];
}

function Nothing({ text, others, suggestions }: Props & { suggestions: SearchItem[] }) {
  const network = useNetwork();
  const identifier = findIdentifier(text);
  const part = isHexPart(text) ? " Type the beginning of a hash or address, or all of it." : "";
  return (
    <div className="flex flex-col items-start gap-3 text-ink-2 -mt-3">
      <h2>
        {identifier === undefined
          ? `Nothing on ${network.label} has this name, and no hash or address starts with it.${part}`
          : identifier.kind === "number"
            ? `There is no block with this number on ${network.label}${part && ", and no hash or address starts with it"}.${part}`
            : `There is no transaction, block or payment with this hash on ${network.label}.`}
      </h2>
      {suggestions.length > 0 && (
        <>
          <p>Did you mean:</p>
          <div className="w-full">
            <Results items={suggestions} text="" />
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
          <p>
            {part === "" &&
              "Search for a name, a method, a block number, or the first characters of a hash or address. "}
            For example:
          </p>
          <p className="flex flex-wrap gap-2">
            {toExamples(network).map((example) => (
              <AppLink key={example} href={toSearchPath(network.name, example)} className="button">
                {example}
              </AppLink>
            ))}
          </p>
        </>
      )}
    </div>
  );
}
