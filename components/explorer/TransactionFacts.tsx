"use client";
/**
 * The facts of a transaction as rows: what is known of it before it is mined, and what the receipt adds.
 */
import { useQuery } from "@tanstack/react-query";
import { AddressLink } from "@/components/chain/AddressLink";
import { Age } from "@/components/chain/Age";
import { GasPrice, NativeAmount, TokenAmount } from "@/components/chain/Amount";
import { BlockLink } from "@/components/chain/BlockLink";
import { Finality } from "@/components/chain/Finality";
import { GasBar } from "@/components/chain/GasBar";
import { Icon } from "@/components/chain/Icon";
import { InfoList, InfoRow } from "@/components/chain/InfoRow";
import { useNetwork, useSource } from "@/components/chain/NetworkContext";
import { Status, toStatusName } from "@/components/chain/Status";
import { toInputItem } from "@/components/explorer/transactionItems";
import { Sheet } from "@/components/layout/Sheet";
import { BytesView } from "@/components/trace/BytesView";
import { useReading } from "@/components/trace/useReadings";
import { listTransfers } from "@/lib/decode/summary";
import { formatDate } from "@/lib/formatTime";
import { t } from "@/lib/messages/translateTransaction";
import { poolStatusQuery, receiptQuery, transactionQuery } from "@/lib/query/queries";
import type { WireReceipt, WireTransaction } from "@/lib/query/wire";
import { formatInteger } from "@/lib/units";

type Props = { transaction: WireTransaction; receipt: WireReceipt | undefined };

export function TransactionFacts({ transaction, receipt }: Props) {
  const source = useSource();
  const { tokens } = useNetwork();
  const ofTransaction = transactionQuery(source, transaction.hash).queryKey;
  const ofReceipt = receiptQuery(source, transaction.hash).queryKey;
  const readings = useReading(toInputItem(transaction));
  const isToken = (address: string) => tokens.some((token) => token.address.toLowerCase() === address.toLowerCase());
  const recipient = transaction.to ?? receipt?.contractAddress;
  const transfers = receipt ? listTransfers(receipt.logs) : [];
  const type = Number(transaction.type);
  return (
    <Sheet>
      <InfoList label={t("tx.facts")} request={ofTransaction}>
        {receipt ? <MinedRows transaction={transaction} receipt={receipt} /> : <PoolRow hash={transaction.hash} />}
        <InfoRow label={t("tx.from")}>
          <AddressLink full address={transaction.from} />
        </InfoRow>
        <InfoRow label={t(transaction.to === null ? "tx.created" : "tx.to")}>
          {recipient ? (
            <AddressLink full address={recipient} contract={transaction.to === null || transaction.input !== "0x"} />
          ) : (
            <span className="text-ink-3">{t("tx.createdPending")}</span>
          )}
        </InfoRow>
        <InfoRow label={t("tx.value")}>
          <NativeAmount wei={BigInt(transaction.value)} digits={24} copy />
        </InfoRow>
        {transfers.length > 0 && (
          <InfoRow label={t("tx.tokens", { count: transfers.length })} request={ofReceipt}>
            <ul className="flex flex-col">
              {transfers.map((transfer, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: transfers stay in log order
                <li key={index} className="flex flex-wrap items-center gap-x-2">
                  <AddressLink address={transfer.from} />
                  <Icon name="arrow" className="text-ink-3" />
                  <AddressLink address={transfer.to} />
                  <span className="font-medium">
                    <TokenAmount units={transfer.amount} token={transfer.token} />
                  </span>
                  {!isToken(transfer.token) && <AddressLink contract address={transfer.token} />}
                </li>
              ))}
            </ul>
          </InfoRow>
        )}
        {receipt ? (
          <FeeRows transaction={transaction} receipt={receipt} />
        ) : (
          <InfoRow label={t("tx.gasLimit")}>{formatInteger(BigInt(transaction.gas))}</InfoRow>
        )}
        <PriceRow transaction={transaction} receipt={receipt} />
        <InfoRow label={t("tx.place")} hint={t("tx.placeHint")}>
          {receipt
            ? t("tx.placeMined", { nonce: Number(transaction.nonce), index: Number(receipt.transactionIndex), type })
            : t("tx.placePending", { nonce: Number(transaction.nonce), type })}
        </InfoRow>
        {transaction.input !== "0x" && (
          <InfoRow label={t(transaction.to === null ? "tx.initCode" : "tx.input")}>
            <BytesView
              data={transaction.input}
              what={t("what.input")}
              readings={readings}
              token={transaction.to ?? undefined}
              selector={transaction.to === null ? 0 : 4}
            />
          </InfoRow>
        )}
      </InfoList>
    </Sheet>
  );
}

function PoolRow({ hash }: { hash: string }) {
  const source = useSource();
  const query = poolStatusQuery(source, hash);
  const { data: pool } = useQuery(query);
  return (
    <InfoRow label={t("tx.status")} request={query.queryKey}>
      <span className="flex flex-wrap items-center gap-x-3">
        <Status name={toStatusName(pool?.status ?? "pending")} />
        <span className="text-ink-2">
          {pool?.reason ?? t(pool?.status === "queued" ? "pool.queued" : "pool.pending")}
        </span>
      </span>
    </InfoRow>
  );
}

function MinedRows({ transaction, receipt }: { transaction: WireTransaction; receipt: WireReceipt }) {
  const failed = receipt.status !== undefined && Number(receipt.status) === 0;
  const timestamp = transaction.blockTimestamp;
  const number = Number(receipt.blockNumber);
  const ofReceipt = receiptQuery(useSource(), transaction.hash).queryKey;
  return (
    <>
      <InfoRow label={t("tx.status")} request={ofReceipt}>
        {receipt.status !== undefined && <Status name={failed ? "failed" : "success"} />}
      </InfoRow>
      <InfoRow label={t("tx.block")} request={ofReceipt}>
        <span className="flex flex-wrap items-center gap-x-3">
          <BlockLink number={number} />
          <Finality number={number} />
        </span>
      </InfoRow>
      {timestamp && (
        <InfoRow label={t("tx.time")}>
          <Age timestamp={Number(timestamp)} /> <span className="text-ink-3">{formatDate(Number(timestamp))}</span>
        </InfoRow>
      )}
    </>
  );
}

function FeeRows({ transaction, receipt }: { transaction: WireTransaction; receipt: WireReceipt }) {
  const ofReceipt = receiptQuery(useSource(), transaction.hash).queryKey;
  return (
    <>
      <InfoRow label={t("tx.fee")} hint={t("tx.feeHint")} request={ofReceipt}>
        <NativeAmount wei={BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice)} digits={24} copy />
      </InfoRow>
      <InfoRow label={t("tx.gas")} hint={t("tx.gasHint")} request={ofReceipt}>
        <GasBar used={BigInt(receipt.gasUsed)} limit={BigInt(transaction.gas)} />
      </InfoRow>
    </>
  );
}

function PriceRow({ transaction, receipt }: Props) {
  return (
    <InfoRow label={t("tx.gasPrice")}>
      <span className="flex flex-wrap items-center gap-x-4">
        <GasPrice wei={BigInt(receipt?.effectiveGasPrice ?? transaction.gasPrice)} />
        {transaction.maxFeePerGas && (
          <span className="text-ink-2">
            {t("tx.maxFee")} <GasPrice wei={BigInt(transaction.maxFeePerGas)} />
          </span>
        )}
        {transaction.maxPriorityFeePerGas && (
          <span className="text-ink-2">
            {t("tx.maxTip")} <GasPrice wei={BigInt(transaction.maxPriorityFeePerGas)} />
          </span>
        )}
      </span>
    </InfoRow>
  );
}
