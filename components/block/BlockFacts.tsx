"use client";
/**
 * The fields of a block's header. The most useful ones are side by side, followed by the hashes. The rest are shown on
 * demand.
 */
import type { ReactNode } from "react";
import { AddressLink } from "@/components/atoms/AddressLink";
import { Age } from "@/components/atoms/Age";
import { GasCost, GasPrice } from "@/components/atoms/Amount";
import { CopiedHash } from "@/components/atoms/CopiedHash";
import { Copy } from "@/components/atoms/Copy";
import { Finality } from "@/components/atoms/Finality";
import { Hash } from "@/components/atoms/Hash";
import { InfoList, InfoRow } from "@/components/atoms/InfoRow";
import { AppLink } from "@/components/layout/AppLink";
import { useNetwork, useSource } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { formatDate } from "@/lib/formatTime";
import { toBlockPath } from "@/lib/links";
import { finalizedBlockQuery } from "@/lib/query/queries";
import type { WireBlock } from "@/lib/query/wire";
import { formatBytes, formatInteger, formatPercent } from "@/lib/units";

/** From this width on, two whole hashes fit side by side. They start at the first and the fourth of the six facts. */
const hashGrid =
  "border-line border-t max-[80rem]:sm:[&_.info-strip]:grid-cols-1 min-[80rem]:[&_.info-strip]:grid-cols-2";

/** `request` is the key of the query that returned the block. */
export function BlockFacts({ block, request }: { block: WireBlock; request: readonly unknown[] }) {
  const network = useNetwork();
  const ofFinality = finalizedBlockQuery(useSource()).queryKey;
  const number = Number(block.number);
  const timestamp = Number(block.timestamp);
  const baseFee = block.baseFeePerGas === undefined ? undefined : BigInt(block.baseFeePerGas);
  const roots = [
    ["State root", block.stateRoot],
    ["Transactions root", block.transactionsRoot],
    ["Receipts root", block.receiptsRoot],
    ["Withdrawals root", block.withdrawalsRoot],
    ["Requests hash", block.requestsHash],
    ["Beacon root", block.parentBeaconBlockRoot],
    ["prevRandao", block.mixHash],
    ["Extra data", block.extraData],
  ] as const;
  return (
    <Sheet>
      <InfoList strip label="Block header" request={request}>
        <InfoRow label="Time">
          <Age timestamp={timestamp} /> <Second>{formatDate(timestamp)}</Second>
        </InfoRow>
        <InfoRow label="Finality" request={ofFinality}>
          <Finality number={number} />
        </InfoRow>
        <InfoRow label="Gas used">
          {formatInteger(BigInt(block.gasUsed))}{" "}
          <Second>
            {formatPercent(BigInt(block.gasUsed), BigInt(block.gasLimit))} of {formatInteger(BigInt(block.gasLimit))}
          </Second>
        </InfoRow>
        {baseFee !== undefined && (
          <>
            <InfoRow label="Base fee">
              <GasPrice wei={baseFee} />
            </InfoRow>
            <InfoRow label="Burned" hint="Base fee times gas used (EIP-1559)">
              <GasCost wei={baseFee * BigInt(block.gasUsed)} />
            </InfoRow>
          </>
        )}
        {block.blobGasUsed !== undefined && BigInt(block.blobGasUsed) > 0n && (
          <InfoRow label="Blob gas used">{formatInteger(BigInt(block.blobGasUsed))}</InfoRow>
        )}
        <InfoRow label="Size">{formatBytes(Number(block.size))}</InfoRow>
      </InfoList>
      <div className={hashGrid}>
        <InfoList strip label="Block hashes" request={request}>
          <InfoRow label="Hash">
            <span className="identifier">
              <Hash value={block.hash} />
              <Copy value={block.hash} what="Hash" quiet={false} />
            </span>
          </InfoRow>
          <InfoRow label="Parent">
            {number === 0 ? (
              <span className="text-ink-3">None: this is the genesis block</span>
            ) : (
              <span className="identifier">
                <AppLink href={toBlockPath(network.name, block.parentHash)} className="min-w-0 text-accent">
                  <Hash value={block.parentHash} />
                </AppLink>
                <Copy value={block.parentHash} what="Parent" quiet={false} />
              </span>
            )}
          </InfoRow>
        </InfoList>
      </div>
      <details className={hashGrid}>
        <summary className="cursor-pointer px-4 py-2 text-13 text-ink-2">
          Fee recipient, roots and other header fields
        </summary>
        <InfoList strip label="Other header fields" request={request}>
          <InfoRow label="Fee recipient">
            <AddressLink full address={block.miner} />
          </InfoRow>
          {roots.map(([label, value]) =>
            value === undefined ? null : (
              <InfoRow key={label} label={label}>
                {value === "0x" ? <span className="text-ink-3">0x</span> : <CopiedHash value={value} what={label} />}
              </InfoRow>
            ),
          )}
        </InfoList>
      </details>
    </Sheet>
  );
}

function Second({ children }: { children: ReactNode }) {
  return <span className="second text-13 text-ink-3">{children}</span>;
}
