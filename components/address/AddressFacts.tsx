"use client";
/**
 * The facts about an address: balances, nonce, type, and when it was first and last seen. Contracts also have a
 * creator, and proxies an implementation.
 */
import { useQuery } from "@tanstack/react-query";
import { AddressEarnings } from "@/components/address/AddressEarnings";
import {
  beaconSlot,
  findCloned,
  findDelegate,
  findImplementation,
  implementationSelector,
  implementationSlot,
} from "@/components/address/proxy";
import { AddressLink } from "@/components/atoms/AddressLink";
import { Age } from "@/components/atoms/Age";
import { listDigits, NativeAmount, TokenAmount } from "@/components/atoms/Amount";
import { InfoList, InfoRow } from "@/components/atoms/InfoRow";
import { TxLink } from "@/components/atoms/TxLink";
import { AppLink } from "@/components/layout/AppLink";
import { useNetwork, useSource } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { toTransactionPath } from "@/lib/links";
import type { Token } from "@/lib/networks";
import { addressQuery, storageSlotQuery, viewQuery } from "@/lib/query/explorerQueries";
import { balanceQuery, codeQuery, nonceQuery, tokenBalanceQuery } from "@/lib/query/queries";
import { formatBytes, formatInteger } from "@/lib/units";

const proxyKinds = {
  "1967": "EIP-1967 slot",
  "1167": "EIP-1167 minimal proxy",
  beacon: "EIP-1967 beacon",
  "7702": "EIP-7702 delegation",
};

/** `address` is in lowercase. `code` is undefined while loading. */
export function AddressFacts({ address, code }: { address: `0x${string}`; code: string | undefined }) {
  const source = useSource();
  const { tokens } = useNetwork();
  const delegate = code === undefined ? undefined : findDelegate(code);
  const hasCode = code !== undefined && code !== "0x";
  return (
    <Sheet>
      {/* On tablets, four or five facts have columns as wide as their values, at even distances. */}
      <div className="md:max-lg:[&>dl:has(>:nth-child(4):last-child)]:grid-cols-[repeat(4,auto)]! md:max-lg:[&>dl:has(>:nth-child(5):last-child)]:grid-cols-[repeat(5,auto)]! md:max-lg:[&>dl]:justify-between">
        <InfoList strip label="Address" request={addressQuery(source, address).queryKey}>
          <InfoRow label="Balance" request={balanceQuery(source, address).queryKey}>
            <Balance address={address} />
          </InfoRow>
          {tokens.map((each) => (
            <TokenBalance key={each.address} address={address} token={each} />
          ))}
          <InfoRow
            label="Nonce"
            hint="Transactions sent so far; also the next nonce"
            request={nonceQuery(source, address).queryKey}
          >
            <Nonce address={address} />
          </InfoRow>
          <InfoRow label="Type" request={codeQuery(source, address).queryKey}>
            {code === undefined ? (
              <span className="skeleton w-24" />
            ) : delegate ? (
              <span className="flex flex-wrap items-center gap-2">
                EOA delegated to
                <AddressLink contract address={delegate} />
              </span>
            ) : hasCode ? (
              `Contract, ${formatBytes((code.length - 2) / 2)} of code`
            ) : (
              <abbr
                title="Externally owned account: an account with a private key and no code"
                className="no-underline"
              >
                EOA
              </abbr>
            )}
          </InfoRow>
          {hasCode && !delegate && <ProxyTarget address={address} code={code} />}
          <Seen address={address} isContract={hasCode && !delegate} />
        </InfoList>
      </div>
      <AddressEarnings address={address} />
    </Sheet>
  );
}

function Balance({ address }: { address: string }) {
  const { data } = useQuery(balanceQuery(useSource(), address));
  return data === undefined ? (
    <span className="skeleton w-32" />
  ) : (
    // A balance of zero is as much a fact as the others, so it isn't faint.
    <span className="font-medium [&_.fill]:hidden [&_span[title]]:text-ink">
      <NativeAmount wei={BigInt(data)} fractionDigits={listDigits} copy />
    </span>
  );
}

/** Renders nothing if the address holds none of this token. */
function TokenBalance({ address, token }: { address: string; token: Token }) {
  const query = tokenBalanceQuery(useSource(), token.address, address);
  const { data, error } = useQuery(query);
  const units = data === undefined || data === "0x" ? 0n : BigInt(data);
  if (!error && units === 0n) return null;
  return (
    <InfoRow label={token.symbol} request={query.queryKey}>
      {error ? (
        <span className="text-ink-2">{error.message}</span>
      ) : (
        <span className="font-medium [&_.fill]:hidden">
          <TokenAmount units={units} token={token.address} fractionDigits={Math.min(token.decimals, listDigits)} copy />
        </span>
      )}
    </InfoRow>
  );
}

function Nonce({ address }: { address: string }) {
  const { data } = useQuery(nonceQuery(useSource(), address));
  return data === undefined ? <span className="skeleton w-12" /> : formatInteger(BigInt(data));
}

function ProxyTarget({ address, code }: { address: string; code: string }) {
  const { data: slot } = useQuery(storageSlotQuery(useSource(), address, implementationSlot));
  const cloned = findCloned(code);
  const source = useSource();
  const { data: beaconWord } = useQuery(storageSlotQuery(source, address, beaconSlot));
  const beacon = beaconWord === undefined ? undefined : findImplementation(beaconWord);
  const { data: answered } = useQuery({
    ...viewQuery(source, beacon ?? address, implementationSelector, ["head"]),
    enabled: beacon !== undefined,
  });
  const stored = slot === undefined ? undefined : findImplementation(slot);
  const target = cloned ?? stored ?? (answered === undefined ? undefined : findImplementation(answered));
  if (target === undefined) return null;
  const kind = cloned ? "1167" : stored ? "1967" : "beacon";
  return (
    <InfoRow label="Proxy for">
      <span className="flex flex-wrap items-center gap-2">
        <AddressLink contract address={target} />
        <span className="text-ink-3">{proxyKinds[kind]}</span>
        {kind === "beacon" && beacon && <AddressLink contract address={beacon} />}
      </span>
    </InfoRow>
  );
}

type Place = { transactionHash: string; timestamp: string };

/** A transaction's age, as a link to the transaction. */
function Moment({ place }: { place: Place }) {
  const { name } = useNetwork();
  return (
    <AppLink href={toTransactionPath(name, place.transactionHash)}>
      <Age timestamp={Number(place.timestamp)} />
    </AppLink>
  );
}

/** The last transaction's age, and the first one's below it. */
function Activity({ first, last }: { first: Place; last: Place }) {
  return (
    <>
      <Moment place={last} />
      <span className="second text-13 text-ink-3">
        {first.transactionHash === last.transactionHash ? (
          "Only transaction"
        ) : (
          <>
            First <Moment place={first} />
          </>
        )}
      </span>
    </>
  );
}

function Seen({ address, isContract }: { address: string; isContract: boolean }) {
  const { data, isError } = useQuery(addressQuery(useSource(), address));
  // A network without an index doesn't know.
  if (isError) return null;
  return (
    <>
      {isContract && (
        <InfoRow label={data && !data.creation ? "Created" : "Created by"}>
          {data === undefined ? (
            <span className="skeleton w-40" />
          ) : data.creation ? (
            <span className="flex flex-wrap items-center gap-x-2">
              <AddressLink address={data.creation.from} />
              <span className="inline-flex items-center gap-x-2">
                in
                <TxLink hash={data.creation.transactionHash} />
              </span>
            </span>
          ) : (
            "At genesis"
          )}
        </InfoRow>
      )}
      <InfoRow
        label="Last transaction"
        hint="From or to this address, or with a transfer of its money or tokens. Other contracts’ calls don’t count"
      >
        {data === undefined ? (
          // As tall as both lines, so that the page doesn't move when they arrive.
          <span className="block min-h-11">
            <span className="skeleton w-24" />
          </span>
        ) : data.firstSeen ? (
          <Activity first={data.firstSeen} last={data.lastSeen ?? data.firstSeen} />
        ) : (
          "None yet"
        )}
      </InfoRow>
    </>
  );
}
