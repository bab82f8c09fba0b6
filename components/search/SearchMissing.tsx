"use client";
import { AppLink } from "@/components/layout/AppLink";
import { Empty } from "@/components/layout/Empty";
/** A search without results: how the text was interpreted, and where else it might be. */
import { useNetwork } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { findIdentifier, toSearchPath } from "@/lib/links";

export function SearchMissing({
  text,
  lookedUp,
  others,
}: {
  text: string;
  lookedUp: string[];
  others: { name: string; label: string }[];
}) {
  const network = useNetwork();
  const hasShape = findIdentifier(text) !== undefined;
  return (
    <Sheet>
      <Empty level="h1" icon="search" title={`No results for “${text}” on ${network.label}`}>
        <p>
          {lookedUp.length === 0
            ? "This isn’t a block number, hash or address."
            : lookedUp.includes("block number")
              ? "We looked for a block with this number."
              : "We looked for a transaction or block with this hash."}
        </p>
        {!hasShape && <p>Try a block number (12345), a 32-byte hash (0x + 64 hex) or an address (0x + 40 hex).</p>}
        {hasShape && others.length > 0 && (
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
      </Empty>
    </Sheet>
  );
}
