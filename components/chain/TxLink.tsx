"use client";
/**
 * A transaction's hash with its mark and link.
 */
import { Copy } from "@/components/chain/Copy";
import { Hash } from "@/components/chain/Hash";
import { Hashmark } from "@/components/chain/Hashmark";
import { useNetwork } from "@/components/chain/NetworkContext";
import { AppLink } from "@/components/layout/AppLink";
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
