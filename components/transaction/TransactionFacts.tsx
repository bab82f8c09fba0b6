"use client";
/**
 * The facts about a transaction: where it is and who sent what, then its gas, and then its input. The header of the
 * page shows its status and age.
 */
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { AddressLink } from "@/components/atoms/AddressLink";
import { GasCost, GasPrice, leastNativeWei, NativeAmount, TokenAmount } from "@/components/atoms/Amount";
import { BlockLink } from "@/components/atoms/BlockLink";
import { Copy } from "@/components/atoms/Copy";
import { Finality } from "@/components/atoms/Finality";
import { GasUsed } from "@/components/atoms/GasBar";
import { Icon } from "@/components/atoms/Icon";
import { InfoList, InfoRow } from "@/components/atoms/InfoRow";
import { AppLink } from "@/components/layout/AppLink";
import { loadedLater } from "@/components/layout/loadedLater";
import { useNetwork, useSource } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { BytesView } from "@/components/trace/BytesView";
import { useReading } from "@/components/trace/useReadings";
import { GasParts } from "@/components/transaction/GasParts";
import { InternalPlaceholders, mostInternalRows } from "@/components/transaction/InternalRows";
import { TransactionNeighbors } from "@/components/transaction/TransactionNeighbors";
import { toTabPath } from "@/components/transaction/TransactionTabs";
import { toInputItem } from "@/components/transaction/transactionItems";
import { toBurnedWei, toFeeWei } from "@/lib/decode/internals";
import { listTransfers, toSummary } from "@/lib/decode/summary";
import { formatDate } from "@/lib/formatTime";
import { findToken } from "@/lib/networks";
import { plural } from "@/lib/plural";
import { blockSummaryQuery, receiptQuery, transactionQuery } from "@/lib/query/queries";
import { transactionEffectsQuery } from "@/lib/query/transaction";
import type { WireReceipt, WireTransaction } from "@/lib/query/wire";
import { formatInteger, formatPercent, formatUnits } from "@/lib/units";

/** EIP-2718 transaction types, each named after the standard that defines it. */
const typeNames: Record<number, string> = { 0: "legacy", 1: "EIP-2930", 2: "EIP-1559", 3: "EIP-4844", 4: "EIP-7702" };

const InternalList = loadedLater(
  () => import("./InternalList").then((module) => module.InternalList),
  InternalPlaceholders,
);

type Props = { transaction: WireTransaction; receipt: WireReceipt | undefined };

/** `payments` is the number of payments that another sheet already shows. */
export function TransactionFacts({ transaction, receipt, payments }: Props & { payments: number }) {
  const ofTransaction = transactionQuery(useSource(), transaction.hash).queryKey;
  const nonce = Number(transaction.nonce);
  const type = Number(transaction.type);
  return (
    <Sheet id="facts" title="Transaction details">
      <InfoList columns label="Transaction" request={ofTransaction}>
        {receipt && <BlockRows transaction={transaction} receipt={receipt} />}
        <InfoRow label="From">
          <AddressLink full address={transaction.from} />
        </InfoRow>
        <InfoRow label="To">
          {transaction.to === null ? (
            <span className="text-ink-3">Contract creation</span>
          ) : (
            <AddressLink full address={transaction.to} contract={transaction.input !== "0x"} />
          )}
        </InfoRow>
        <InfoRow label="Value">
          <NativeFact wei={BigInt(transaction.value)} />
        </InfoRow>
        <InfoRow label="Nonce" aside={<TransactionNeighbors sender={transaction.from} nonce={nonce} />}>
          {nonce}
        </InfoRow>
        {receipt && <FeeRows transaction={transaction} receipt={receipt} />}
        {!receipt && (
          <InfoRow second label="Gas limit">
            {formatInteger(BigInt(transaction.gas))}
          </InfoRow>
        )}
        <PriceRow transaction={transaction} receipt={receipt} />
        {!receipt && (
          <InfoRow second label="Max cost" hint="Value + gas limit × max fee, plus the blob gas fee if there is one">
            <NativeFact wei={toMaxCostWei(transaction)} />
          </InfoRow>
        )}
        <InfoRow second label="Type">
          {type in typeNames ? `${type} (${typeNames[type]})` : type}
        </InfoRow>
        {receipt && (
          <InfoRow second label="Index in block">
            {Number(receipt.transactionIndex)}
          </InfoRow>
        )}
      </InfoList>
      <DataRows transaction={transaction} receipt={receipt} payments={payments} />
    </Sheet>
  );
}

function BlockRows({ transaction, receipt }: { transaction: WireTransaction; receipt: WireReceipt }) {
  const timestamp = transaction.blockTimestamp;
  const number = Number(receipt.blockNumber);
  return (
    <>
      <InfoRow label="Block" request={receiptQuery(useSource(), transaction.hash).queryKey}>
        {/* One line or two, never one that becomes two when the confirmations reach another digit. */}
        <span className="flex items-center gap-x-3 max-sm:flex-col max-sm:items-start">
          <BlockLink number={number} />
          <Finality number={number} />
        </span>
      </InfoRow>
      {timestamp && <InfoRow label="Time">{formatDate(Number(timestamp))}</InfoRow>}
    </>
  );
}

/** A small amount is easier to read in gwei or wei, so that is first, rounded. */
function NativeFact({ wei }: { wei: bigint }) {
  const { nativeCurrency } = useNetwork();
  if (wei === 0n) return <NativeAmount wei={wei} />;
  const isSmall = wei < leastNativeWei;
  return (
    <span className="flex flex-wrap items-center gap-x-3">
      {isSmall && <GasCost wei={wei} />}
      <span className={`identifier ${isSmall ? "text-ink-2 max-sm:text-12" : ""}`}>
        <NativeAmount wei={wei} digits={24} />
        <Copy value={formatUnits(wei, nativeCurrency.decimals)} what="exact amount" />
      </span>
    </span>
  );
}

/** The value and the highest possible fee. Each blob needs 131,072 blob gas. */
function toMaxCostWei(transaction: WireTransaction): bigint {
  const { value, gas, gasPrice, maxFeePerGas, maxFeePerBlobGas, blobVersionedHashes } = transaction;
  const blobGas = BigInt((blobVersionedHashes?.length ?? 0) * 131_072);
  return BigInt(value) + BigInt(gas) * BigInt(maxFeePerGas ?? gasPrice) + blobGas * BigInt(maxFeePerBlobGas ?? 0);
}

function FeeRows({ transaction, receipt }: { transaction: WireTransaction; receipt: WireReceipt }) {
  const wei = toFeeWei(receipt);
  const ofReceipt = receiptQuery(useSource(), transaction.hash).queryKey;
  return (
    <>
      <InfoRow
        second
        label="Fee"
        hint={receipt.blobGasUsed ? "Gas used × gas price, plus the blob gas fee" : "Gas used × gas price"}
        request={ofReceipt}
      >
        <NativeFact wei={wei} />
        <FeeShares receipt={receipt} />
      </InfoRow>
      <InfoRow second label="Gas used" hint="Share of the gas limit set by the sender" request={ofReceipt}>
        <GasUsed used={BigInt(receipt.gasUsed)} limit={BigInt(transaction.gas)} />
        <span className="ml-3 text-ink-2">{formatPercent(BigInt(receipt.gasUsed), BigInt(transaction.gas))}</span>
        <GasParts transaction={transaction} receipt={receipt} />
      </InfoRow>
    </>
  );
}

/** Who got the fee: the base fee and the blob fee are burned, and the fee recipient gets the rest (EIP-1559, EIP-4844). */
function FeeShares({ receipt }: { receipt: WireReceipt }) {
  const { data: blocks } = useQuery(blockSummaryQuery(useSource(), Number(receipt.blockNumber)));
  const baseFee = blocks?.items[0]?.baseFeePerGas;
  if (!baseFee) return null;
  const { baseFeeWei, blobFeeWei } = toBurnedWei(receipt, baseFee);
  const burnedWei = baseFeeWei + blobFeeWei;
  return (
    <p className="text-13 text-ink-2">
      <GasCost wei={burnedWei} /> burned, <GasCost wei={toFeeWei(receipt) - burnedWei} /> tip
    </p>
  );
}

function PriceRow({ transaction, receipt }: Props) {
  const { maxFeePerGas, maxPriorityFeePerGas, gasPrice } = transaction;
  // What a pending transaction will pay depends on its block's base fee.
  const isOffer = !receipt && maxFeePerGas !== undefined;
  return (
    <InfoRow second label={isOffer ? "Max gas price" : "Gas price"}>
      <span className="flex flex-wrap items-center gap-x-3 max-sm:flex-col max-sm:items-start">
        <GasPrice exact wei={BigInt(receipt?.effectiveGasPrice ?? maxFeePerGas ?? gasPrice)} />
        {maxFeePerGas && !isOffer && (
          <span className="text-ink-2" title="Max fee per gas">
            max <GasPrice exact wei={BigInt(maxFeePerGas)} />
          </span>
        )}
        {maxPriorityFeePerGas && (
          <span className="text-ink-2" title="Max priority fee per gas">
            max tip <GasPrice exact wei={BigInt(maxPriorityFeePerGas)} />
          </span>
        )}
      </span>
    </InfoRow>
  );
}

/** The token transfers and the input. Without the transfers that the page's sentence or a payment already shows. */
function DataRows({ transaction, receipt, payments }: Props & { payments: number }) {
  const source = useSource();
  const network = useNetwork();
  const readings = useReading(toInputItem(transaction));
  const transfers = receipt ? listTransfers(receipt.logs) : [];
  const isTold = toSummary(transaction, receipt).kind === "tokenTransfer";
  const isListed = transfers.length > payments && !isTold;
  const { hash, input, to } = transaction;
  const effects = transactionEffectsQuery(source, hash);
  const internals = Number(useQuery(effects).data?.internalTransactions ?? 0);
  if (!isListed && internals === 0 && input === "0x") return null;
  return (
    <InfoList label="Data" request={transactionQuery(source, hash).queryKey}>
      {isListed && (
        <InfoRow label={`Token ${plural(transfers.length, "transfer")}`} request={receiptQuery(source, hash).queryKey}>
          <ol className="flex flex-col">
            {transfers.map((transfer, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: transfers stay in log order
              <li key={index} className="flex flex-wrap items-center gap-x-2">
                <AddressLink address={transfer.from} />
                <Icon name="arrow" className="text-ink-3" />
                <AddressLink address={transfer.to} />
                <span className="ml-2 font-medium">
                  <TokenAmount units={transfer.amount} token={transfer.token} />
                </span>
                {!findToken(network, transfer.token) && <AddressLink contract address={transfer.token} />}
              </li>
            ))}
          </ol>
        </InfoRow>
      )}
      {internals > 0 && (
        <InfoRow
          label="Internal calls"
          hint="Transfers of native currency by calls, and deployments"
          request={effects.queryKey}
        >
          <InternalList hash={hash} count={internals} />
          {internals > mostInternalRows && (
            <AppLink href={toTabPath(source.network, hash, "transfers")}>All {internals} internal transactions</AppLink>
          )}
        </InfoRow>
      )}
      {input !== "0x" && (
        <InfoRow label={to === null ? "Init code" : "Input data"}>
          {/* The payments' sheet already shows what the input says. */}
          <Folded isFolded={payments > 0} summary={readings[0]?.name ?? "calldata"}>
            <BytesView
              data={input}
              what="input data"
              readings={readings}
              token={to ?? undefined}
              selector={to === null ? 0 : 4}
            />
          </Folded>
        </InfoRow>
      )}
    </InfoList>
  );
}

function Folded({ isFolded, summary, children }: { isFolded: boolean; summary: string; children: ReactNode }) {
  if (!isFolded) return children;
  return (
    <details className="group">
      <summary className="flex cursor-pointer items-center gap-2 leading-6 hover:text-ink">
        <Icon name="right" className="text-ink-3 group-open:rotate-90" />
        <code className="mono wrap-anywhere leading-6!">{summary}</code>
      </summary>
      <div className="mt-1">{children}</div>
    </details>
  );
}
