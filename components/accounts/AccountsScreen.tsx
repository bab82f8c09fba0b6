"use client";
/**
 * Lists the funded accounts of an embedded network with their published private keys. Also has the faucet and commands
 * for connecting.
 */
import { useQuery } from "@tanstack/react-query";
import { FaucetForm } from "@/components/accounts/FaucetForm";
import { AddressLink } from "@/components/atoms/AddressLink";
import { listDigits, NativeAmount, NativeHead, TokenAmount } from "@/components/atoms/Amount";
import { Copy } from "@/components/atoms/Copy";
import { CopyButton } from "@/components/atoms/CopyButton";
import { Hash } from "@/components/atoms/Hash";
import { InfoList, InfoRow } from "@/components/atoms/InfoRow";
import { Url } from "@/components/atoms/Url";
import { Empty } from "@/components/layout/Empty";
import { useAddressName, useNetworkContext, useSource } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { type Column, DataTable } from "@/components/lists/DataTable";
import { Pager, plainPagerLabels } from "@/components/lists/Pager";
import { AddToWallet } from "@/components/wallet/AddToWallet";
import { listNetworkValues } from "@/components/wallet/networkValues";
import { toChecksumAddress } from "@/lib/address";
import { toSectionPath } from "@/lib/links";
import { findMainnetWarning, type Network, type Token } from "@/lib/networks";
import { balanceQuery, pageSize, tokenBalanceQuery } from "@/lib/query/queries";
import { derivationPath, testMnemonic } from "@/lib/testMnemonic";

/** `privateKey` is set if it is published. */
type Account = { address: `0x${string}`; privateKey?: `0x${string}` };

type Props = {
  /** The accounts on this page. `start` is the position of the first account in the whole list. */
  accounts: Account[];
  start: number;
  total: number;
};

export function AccountsScreen({ accounts, start, total }: Props) {
  const { network } = useNetworkContext();
  const path = toSectionPath(network.name, "accounts");
  const warning = findMainnetWarning(network);
  const arePublic = total > 0 && accounts.every(({ privateKey }) => privateKey !== undefined);
  const next = start + pageSize < total ? String(start + pageSize) : null;
  return (
    <>
      <div className="page-title">
        <h1>Test accounts</h1>
        {/* The faucet is far below the keys, so a link leads to its field. */}
        <a href="#recipient" className="ml-auto text-accent">
          Go to faucet
        </a>
      </div>
      <div className="notice notice-warn flex-col">
        <p>
          <strong className="font-semibold">These private keys are public.</strong> Use them only on this local network.
          On a public network, anyone can take funds sent to these addresses.
        </p>
        {warning && <p>{warning}</p>}
      </div>
      <Sheet
        id="accounts"
        title={`${total} genesis accounts`}
        aside={
          accounts.length > 0 && (
            <CopyButton
              label="Copy JSON"
              done="Copied"
              value={JSON.stringify(accounts, null, 2)}
              what="these accounts as JSON"
              className="h-6.5! border-line! px-2! text-12! text-ink-2"
            />
          )
        }
      >
        {accounts.length === 0 ? (
          <Empty title="This network has no funded accounts">
            The faucet below can still send test money to any address.
          </Empty>
        ) : (
          // On phones, amounts keep their trailing zeros.
          <div className="[&_.fill]:inline">
            <DataTable
              caption="Test accounts"
              columns={toColumns(network, start)}
              rows={accounts}
              getKey={({ address }) => address}
            />
          </div>
        )}
        {arePublic && <Mnemonic />}
        <Pager
          path={path}
          cursor={start > 0 ? String(start) : undefined}
          next={next}
          rows={accounts}
          foot={total > accounts.length && `${start + 1} – ${start + accounts.length} of ${total}`}
          labels={plainPagerLabels}
        />
      </Sheet>
      <FaucetForm />
      <Connection />
    </>
  );
}

function toColumns({ tokens }: Network, start: number): Column<Account>[] {
  return [
    {
      id: "account",
      head: "Account",
      width: "md:w-30 lg:w-29 2xl:w-48",
      narrow: "lead",
      cell: (account, place) => <NamedAccount account={account} index={start + place} />,
    },
    {
      id: "address",
      head: "Address",
      width: "md:w-44 lg:w-88 2xl:w-96",
      narrow: "below",
      // Phones show it below the account's name.
      cell: ({ address }) => (
        <span className="identifier max-md:pl-[1.375rem]">
          <Hash value={toChecksumAddress(address)} className="max-md:hidden" />
          <Hash short value={toChecksumAddress(address)} className="md:hidden" />
          <Copy value={toChecksumAddress(address)} what="address" quiet={false} />
        </span>
      ),
    },
    {
      id: "native",
      head: <NativeHead label="Balance" />,
      width: "md:w-28 2xl:w-48",
      align: "right",
      narrow: "trail",
      cell: ({ address }) => <NativeBalance address={address} />,
    },
    ...toTokenColumns(tokens.slice(0, 2)),
    {
      id: "key",
      head: "Private key",
      width: "md:pl-3 lg:pl-4 2xl:pl-12",
      narrow: "last",
      cell: ({ privateKey }) => <PrivateKey value={privateKey} />,
    },
  ];
}

/** From the xl breakpoint on, two tokens have columns. Narrower screens show both in one cell. */
function toTokenColumns(tokens: readonly Token[]): Column<Account>[] {
  return tokens.map((token, place) => {
    const [, second] = place === 0 ? tokens : [];
    return {
      id: token.address,
      head: (
        <>
          Balance{" "}
          <span className="font-normal">
            {token.symbol}
            {second && <span className="xl:hidden">, {second.symbol}</span>}
          </span>
        </>
      ),
      width: place === 0 ? "md:w-39 md:max-xl:py-1.5 xl:w-28 2xl:w-48" : "w-28 2xl:w-48 max-xl:hidden",
      align: "right",
      ...(place === 0 && { narrow: "belowTrail" }),
      cell: ({ address }) => (
        <>
          <TokenBalance address={address} token={token.address} />
          {second && (
            <>
              <StackedUnit symbol={token.symbol} />
              <span className="block max-md:mt-1 md:leading-5 xl:hidden">
                <TokenBalance address={address} token={second.address} />
                <StackedUnit symbol={second.symbol} />
              </span>
            </>
          )}
        </>
      ),
    };
  });
}

/** On tablets, the header names two tokens, so each amount has its unit. On phones, all amounts have theirs. */
function StackedUnit({ symbol }: { symbol: string }) {
  return <span className="hidden text-ink-3 md:max-xl:inline"> {symbol}</span>;
}

/** The account's index in the mnemonic is behind its name, unless it is part of it. */
function NamedAccount({ account: { address, privateKey }, index }: { account: Account; index: number }) {
  const known = useAddressName(address);
  const isTold = known === undefined || known.name === `Account ${index}`;
  return (
    <span className="flex min-w-0 items-center gap-x-1 max-[21.99rem]:flex-wrap">
      <AddressLink address={address} />
      {privateKey && !isTold && (
        <span className="text-ink-3 max-[21.99rem]:pl-[1.375rem]" title={`Account ${index} of the mnemonic below`}>
          #{index}
        </span>
      )}
    </span>
  );
}

function PrivateKey({ value }: { value: `0x${string}` | undefined }) {
  return (
    <span className="identifier max-md:flex max-md:pl-[1.375rem]">
      <span className="shrink-0 text-13 text-ink-3 md:hidden">Private key</span>
      {value ? (
        <>
          <Hash value={value} />
          <Copy value={value} what="private key" quiet={false} />
        </>
      ) : (
        <span className="text-ink-3">Not public</span>
      )}
    </span>
  );
}

function NativeBalance({ address }: { address: string }) {
  const { data } = useQuery(balanceQuery(useSource(), address));
  return data === undefined ? "…" : <NativeAmount wei={BigInt(data)} fractionDigits={listDigits} unitInHead />;
}

function TokenBalance({ address, token }: { address: string; token: string }) {
  const { data } = useQuery(tokenBalanceQuery(useSource(), token, address));
  return data === undefined || data === "0x" ? (
    "…"
  ) : (
    <TokenAmount units={BigInt(data)} token={token} fractionDigits={listDigits} unitInHead />
  );
}

/** Where the private keys come from. */
function Mnemonic() {
  const parts = [
    ["Mnemonic", testMnemonic],
    ["Derivation path", `${derivationPath}/index`],
  ] as const;
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-2 border-line border-t px-4 py-2.5 text-13">
      {parts.map(([label, value]) => (
        <div key={label} className="flex min-w-0 gap-x-3 max-sm:flex-col max-sm:basis-full">
          <dt className="text-ink-3 sm:max-lg:w-27">{label}</dt>
          <dd className="identifier min-w-0 max-md:flex max-md:justify-between">
            <code className="mono wrap-anywhere">{value}</code>
            <Copy value={value} what={label} quiet={false} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Connection() {
  const { network, origin } = useNetworkContext();
  // On wide screens, they are in the second column.
  const isSecond = (label: string) => label === "Chain ID" || label === "Currency";
  return (
    <Sheet id="connection" title="Connect to this network" aside={<AddToWallet />}>
      <div className="max-sm:text-balance max-sm:[&_.info-row]:grid-cols-1! sm:[&_.info-row]:grid-cols-[7rem_minmax(0,1fr)]">
        <InfoList columns label="Connect to this network">
          {listNetworkValues(network, origin).map(({ label, value }) => (
            <InfoRow key={label} label={label} second={isSecond(label)}>
              {/* If a value wraps, its button is at the right edge, so all are. */}
              <span className="identifier max-md:flex max-md:justify-between">
                <Url url={value} />
                <Copy value={value} what={label} quiet={false} />
              </span>
            </InfoRow>
          ))}
        </InfoList>
      </div>
    </Sheet>
  );
}
