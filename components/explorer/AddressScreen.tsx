"use client";
/**
 * An address's page: what it holds, what it is, and the transactions that touched it.
 */
import { useQuery } from "@tanstack/react-query";
import { AddressLink } from "@/components/chain/AddressLink";
import { NativeAmount, TokenAmount } from "@/components/chain/Amount";
import { Copy } from "@/components/chain/Copy";
import { Hash } from "@/components/chain/Hash";
import { Hashmark } from "@/components/chain/Hashmark";
import { InfoList, InfoRow } from "@/components/chain/InfoRow";
import { useNetwork, useSource } from "@/components/chain/NetworkContext";
import { NoTransactions } from "@/components/explorer/NoTransactions";
import { TransactionList } from "@/components/explorer/TransactionList";
import { toTransactionColumns } from "@/components/explorer/transactionColumns";
import { Sheet } from "@/components/layout/Sheet";
import { toAddressPath } from "@/lib/links";
import { t } from "@/lib/messages/translate";
import type { Token } from "@/lib/networks";
import {
  addressTransactionsQuery,
  balanceQuery,
  codeQuery,
  nonceQuery,
  pageSize,
  tokenBalanceQuery,
} from "@/lib/query/queries";
import { formatBytes, formatInteger } from "@/lib/units";

/** EIP-7702: code that only names the contract an account has delegated to. */
function findDelegate(code: string): `0x${string}` | undefined {
  return /^0xef0100[0-9a-f]{40}$/.test(code) ? `0x${code.slice(8)}` : undefined;
}

/** address in lowercase */
export function AddressScreen({ address, cursor }: { address: `0x${string}`; cursor?: string }) {
  const source = useSource();
  const { tokens } = useNetwork();
  const { data: code } = useQuery(codeQuery(source, address));
  const result = useQuery(addressTransactionsQuery(source, address, cursor));
  const token = tokens.find((candidate) => candidate.address.toLowerCase() === address);
  const delegate = code === undefined ? undefined : findDelegate(code);
  const isContract = code !== undefined && code !== "0x" && delegate === undefined;
  return (
    <>
      <div className="page-title">
        <h1>
          {token ? t("address.token", { symbol: token.symbol }) : t(isContract ? "address.contract" : "address.title")}
        </h1>
        <p className="identifier" data-lit={address}>
          <Hashmark kind={isContract ? "contract" : "account"} id={address} size={20} />
          <Hash value={address} />
          <Copy value={address} what={t("what.address")} quiet={false} />
        </p>
      </div>
      <Sheet>
        <InfoList label={t("address.facts")}>
          <InfoRow label={t("address.balance")}>
            <Balance address={address} />
          </InfoRow>
          {tokens.map((each) => (
            <InfoRow key={each.address} label={t("address.tokenBalance", { symbol: each.symbol })}>
              <TokenBalance address={address} token={each} />
            </InfoRow>
          ))}
          <InfoRow label={t("address.nonce")} hint={t("address.nonceHint")}>
            <Nonce address={address} />
          </InfoRow>
          <InfoRow label={t("address.kind")}>
            {code === undefined ? (
              <span className="skeleton w-24" />
            ) : delegate ? (
              <span className="flex flex-wrap items-center gap-2">
                {t("address.delegated")}
                <AddressLink contract address={delegate} />
              </span>
            ) : isContract ? (
              t("address.isContract", { size: formatBytes((code.length - 2) / 2) })
            ) : (
              t("address.isAccount")
            )}
          </InfoRow>
        </InfoList>
      </Sheet>
      <TransactionList
        title={t("address.transactions")}
        result={result}
        method="explorer_getAddressTransactions"
        columns={toTransactionColumns({ current: address })}
        rows={pageSize}
        path={toAddressPath(source.network, address)}
        cursor={cursor}
        empty={<NoTransactions to={address} />}
      />
    </>
  );
}

function Balance({ address }: { address: string }) {
  const { data } = useQuery(balanceQuery(useSource(), address));
  return data === undefined ? <span className="skeleton w-32" /> : <NativeAmount wei={BigInt(data)} digits={30} copy />;
}

function TokenBalance({ address, token }: { address: string; token: Token }) {
  const { data, error } = useQuery(tokenBalanceQuery(useSource(), token.address, address));
  if (error) return <span className="text-ink-2">{error.message}</span>;
  if (data === undefined) return <span className="skeleton w-32" />;
  return data === "0x" ? (
    <span className="text-ink-3">{t("address.noToken")}</span>
  ) : (
    <TokenAmount units={BigInt(data)} token={token.address} copy />
  );
}

function Nonce({ address }: { address: string }) {
  const { data } = useQuery(nonceQuery(useSource(), address));
  return data === undefined ? <span className="skeleton w-12" /> : formatInteger(BigInt(data));
}
