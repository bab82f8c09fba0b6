"use client";
import { Copy } from "@/components/atoms/Copy";
import { Hash } from "@/components/atoms/Hash";
import { Hashmark } from "@/components/atoms/Hashmark";
import { AppLink } from "@/components/layout/AppLink";
import { useNetwork } from "@/components/layout/NetworkContext";
import { toTransactionPath } from "@/lib/links";

export function TxLink({ hash, full = false }: { hash: string; full?: boolean }) {
  const network = useNetwork();
  return (
    <span className="identifier" data-lit={hash.toLowerCase()}>
      <Hashmark kind="transaction" id={hash} />
      <AppLink href={toTransactionPath(network.name, hash)} className="min-w-0">
        <Hash value={hash} short={!full} />
      </AppLink>
      {full && <Copy value={hash} what="transaction hash" />}
    </span>
  );
}
