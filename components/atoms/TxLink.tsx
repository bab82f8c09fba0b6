"use client";
/** A transaction's hash with its mark and link. */
import { Copy } from "@/components/atoms/Copy";
import { Hash } from "@/components/atoms/Hash";
import { Hashmark } from "@/components/atoms/Hashmark";
import { AppLink } from "@/components/layout/AppLink";
import { useNetwork } from "@/components/layout/NetworkContext";
import { toTransactionPath } from "@/lib/links";

export function TxLink({ hash, characters = 15, full = false }: { hash: string; characters?: number; full?: boolean }) {
  const network = useNetwork();
  return (
    <span className="identifier" data-lit={hash.toLowerCase()}>
      <Hashmark kind="transaction" id={hash} />
      <AppLink href={toTransactionPath(network.name, hash)} className="min-w-0">
        {full ? <Hash value={hash} /> : <Hash value={hash} characters={characters} />}
      </AppLink>
      {full && <Copy value={hash} what="transaction hash" />}
    </span>
  );
}
