"use client";
/**
 * A block's header as rows: what people ask for first, the roots and the rest below it on demand.
 */
import { AddressLink } from "@/components/chain/AddressLink";
import { Age } from "@/components/chain/Age";
import { GasPrice, NativeAmount } from "@/components/chain/Amount";
import { Copy } from "@/components/chain/Copy";
import { Finality } from "@/components/chain/Finality";
import { GasBar } from "@/components/chain/GasBar";
import { Hash } from "@/components/chain/Hash";
import { InfoList, InfoRow } from "@/components/chain/InfoRow";
import { useNetwork, useSource } from "@/components/chain/NetworkContext";
import { AppLink } from "@/components/layout/AppLink";
import { Sheet } from "@/components/layout/Sheet";
import { formatDate } from "@/lib/formatTime";
import { toBlockPath } from "@/lib/links";
import { t } from "@/lib/messages/translateBlock";
import { finalizedBlockQuery } from "@/lib/query/queries";
import type { WireBlock } from "@/lib/query/wire";
import { formatBytes, formatInteger } from "@/lib/units";

function HashValue({ value, what }: { value: string; what: string }) {
  return (
    <span className="identifier">
      <Hash value={value} />
      <Copy value={value} what={what} />
    </span>
  );
}

/** request is the key of the query that the block comes from. */
export function BlockFacts({ block, request }: { block: WireBlock; request: readonly unknown[] }) {
  const network = useNetwork();
  const ofFinality = finalizedBlockQuery(useSource()).queryKey;
  const number = Number(block.number);
  const timestamp = Number(block.timestamp);
  const baseFee = block.baseFeePerGas === undefined ? undefined : BigInt(block.baseFeePerGas);
  const roots = [
    ["block.stateRoot", block.stateRoot],
    ["block.transactionsRoot", block.transactionsRoot],
    ["block.receiptsRoot", block.receiptsRoot],
    ["block.withdrawalsRoot", block.withdrawalsRoot],
    ["block.requestsHash", block.requestsHash],
    ["block.beaconRoot", block.parentBeaconBlockRoot],
    ["block.prevRandao", block.mixHash],
    ["block.extraData", block.extraData],
  ] as const;
  return (
    <Sheet>
      <InfoList label={t("block.facts")} request={request}>
        <InfoRow label={t("block.time")}>
          <Age timestamp={timestamp} /> <span className="text-ink-3">{formatDate(timestamp)}</span>
        </InfoRow>
        <InfoRow label={t("block.state")} request={ofFinality}>
          <Finality number={number} />
        </InfoRow>
        <InfoRow label={t("block.hash")}>
          <HashValue value={block.hash} what={t("block.hash")} />
        </InfoRow>
        <InfoRow label={t("block.parent")}>
          {number === 0 ? (
            <span className="text-ink-3">{t("block.genesis")}</span>
          ) : (
            <AppLink href={toBlockPath(network.name, block.parentHash)}>
              <Hash value={block.parentHash} />
            </AppLink>
          )}
        </InfoRow>
        <InfoRow label={t("block.miner")}>
          <AddressLink full address={block.miner} />
        </InfoRow>
        <InfoRow label={t("block.gas")}>
          <GasBar used={BigInt(block.gasUsed)} limit={BigInt(block.gasLimit)} />
        </InfoRow>
        {baseFee !== undefined && (
          <>
            <InfoRow label={t("block.baseFee")}>
              <GasPrice wei={baseFee} />
            </InfoRow>
            <InfoRow label={t("block.burnt")} hint={t("block.burntHint")}>
              <NativeAmount wei={baseFee * BigInt(block.gasUsed)} digits={24} />
            </InfoRow>
          </>
        )}
        {block.blobGasUsed !== undefined && BigInt(block.blobGasUsed) > 0n && (
          <InfoRow label={t("block.blobGas")}>{formatInteger(BigInt(block.blobGasUsed))}</InfoRow>
        )}
        <InfoRow label={t("block.size")}>{formatBytes(Number(block.size))}</InfoRow>
      </InfoList>
      <details className="border-line border-t">
        <summary className="cursor-pointer px-4 py-2 text-13 text-ink-2">{t("block.more")}</summary>
        <InfoList label={t("block.more")} request={request}>
          {roots.map(([label, value]) =>
            value === undefined ? null : (
              <InfoRow key={label} label={t(label)}>
                {value === "0x" ? <span className="text-ink-3">0x</span> : <HashValue value={value} what={t(label)} />}
              </InfoRow>
            ),
          )}
        </InfoList>
      </details>
    </Sheet>
  );
}
