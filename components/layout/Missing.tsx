"use client";
/** Shown for an unknown page inside a network. It says what is wrong with the URL, and offers the search. */
import { usePathname } from "next/navigation";
import { AppLink } from "@/components/layout/AppLink";
import { useNetwork } from "@/components/layout/NetworkContext";
import { rowPlaces } from "@/components/layout/SectionNav";
import { addressHint } from "@/lib/address";
import { toHomePath, toSearchPath, toSectionPath } from "@/lib/links";
import { toShownText } from "@/lib/shownText";

const shapes = {
  address: { fault: "is not a valid address", hint: addressHint },
  tx: {
    fault: "is not a valid transaction hash",
    hint: "Transaction hashes are 0x followed by 64 hex characters.",
  },
  block: {
    fault: "is not a block number or hash",
    hint: "Enter a block number or a block hash (0x + 64 hex).",
  },
} as const;

export function Missing() {
  const network = useNetwork();
  const path = usePathname();
  const [, , section = "", text = ""] = path.split("/");
  const shape = section in shapes ? shapes[section as keyof typeof shapes] : undefined;
  const shown = toShownText(decodeURIComponent(text), 80);
  // Without an identifier, the last part of the path may be a name.
  const last = path.split("/").at(-1) ?? "";
  const isAccounts = section === "accounts" && text === "";
  const wanted = shape ? shown : isAccounts ? "" : toShownText(decodeURIComponent(last).replaceAll("-", " "), 80);
  return (
    <div className="wrap-anywhere flex max-w-prose flex-col items-start gap-3 text-ink-2">
      <h1 className="text-ink">Page not found</h1>
      {!shape && !isAccounts && (
        <p>
          There is no page at <code className="mono">{toShownText(decodeURIComponent(path), 80)}</code>. Check the URL,
          or use the search above.
        </p>
      )}
      {shape && (
        <p>
          “{shown}” {shape.fault}. {shape.hint}
        </p>
      )}
      {isAccounts && (
        <p>
          {network.label} has no test accounts. Only chains that this node creates itself have funded accounts and a
          faucet.
        </p>
      )}
      <p className="flex flex-wrap items-center gap-x-4 gap-y-2">
        {wanted !== "" && (
          <AppLink href={toSearchPath(network.name, wanted)} className="button button-primary">
            Search for “{wanted}”
          </AppLink>
        )}
        <AppLink href={toHomePath(network.name)} className={`button ${wanted === "" ? "button-primary" : ""}`}>
          Go to the home page
        </AppLink>
      </p>
      {!shape && (
        <p className="flex flex-wrap gap-x-4 gap-y-2">
          {rowPlaces.map(({ section, label }) => (
            <AppLink key={section} href={toSectionPath(network.name, section)} className="text-accent">
              {label}
            </AppLink>
          ))}
        </p>
      )}
    </div>
  );
}
