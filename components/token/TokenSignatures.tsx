"use client";
/**
 * What a token's signed payments depend on: its EIP-712 domain, the domain separator on chain, the supported signature
 * schemes, and the state of an authorization.
 */
import { useQuery } from "@tanstack/react-query";
import { domainSeparator } from "viem";
import { AddressLink } from "@/components/atoms/AddressLink";
import { CopiedHash } from "@/components/atoms/CopiedHash";
import { Copy } from "@/components/atoms/Copy";
import { Icon } from "@/components/atoms/Icon";
import { InfoList, InfoRow } from "@/components/atoms/InfoRow";
import { useNetwork, useSource } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { AuthorizationState } from "@/components/token/AuthorizationState";
import { selectors } from "@/components/token/tokenSelectors";
import { findStringAnswer } from "@/lib/decode/words";
import { findToken } from "@/lib/networks";
import { selectorsQuery, viewQuery } from "@/lib/query/explorerQueries";

/**
 * `permit` and `transferWithAuthorization` each exist in two forms. One takes v, r and s, and the other takes the
 * signature as bytes.
 */
const supports: readonly { label: string; hint?: string; anyOf: readonly `0x${string}`[] }[] = [
  { label: "EIP-2612 permit", anyOf: ["0xd505accf", "0x9fd5a6cf"] },
  { label: "EIP-3009 authorization", anyOf: ["0xe3ee160e", "0xcf092995"] },
  {
    label: "Permit2",
    hint: "Works with any token that has approve(): the payer approves the Permit2 contract once",
    anyOf: ["0x095ea7b3"],
  },
];

/** `address` is in lowercase. */
export function TokenSignatures({ address }: { address: `0x${string}` }) {
  return (
    <>
      <Domain address={address} />
      <Support address={address} />
      <AuthorizationState address={address} />
    </>
  );
}

/** On wide screens, the three short values share a row. On the narrowest, values are below their labels. */
const domainColumns =
  "max-sm:[&_.info-row]:grid-cols-[7.5rem_minmax(0,1fr)]! max-[22rem]:[&_.info-row]:grid-cols-1! xl:*:grid xl:*:grid-cols-3 xl:[&>*>:nth-child(n+4)]:col-span-full";

function Domain({ address }: { address: `0x${string}` }) {
  const source = useSource();
  const network = useNetwork();
  const { chainId } = network;
  const configured = findToken(network, address)?.eip712;
  const { data: nameAnswer } = useQuery(viewQuery(source, address, selectors.name));
  const { data: versionAnswer } = useQuery(viewQuery(source, address, selectors.version));
  const { data: onChain, isPending } = useQuery(viewQuery(source, address, selectors.domainSeparator));
  // Payers sign with the domain in the network's configuration. For a token that isn't configured, the contract's own
  // values are used.
  const name = configured?.name ?? findStringAnswer(nameAnswer);
  const version = configured?.version ?? findStringAnswer(versionAnswer) ?? "1";
  if (isPending)
    return (
      <Sheet title="EIP-712 domain" id="domain">
        <p className="min-h-40 p-4" aria-busy />
      </Sheet>
    );
  const stored = onChain?.length === 66 ? onChain : undefined;
  const computed =
    name === undefined
      ? undefined
      : domainSeparator({ domain: { name, version, chainId, verifyingContract: address } });
  return (
    <Sheet
      title="EIP-712 domain"
      id="domain"
      aside={stored !== undefined && computed !== undefined && <Verdict matches={stored === computed} />}
    >
      <p className="border-line border-b px-4 py-2 text-13 text-ink-2">
        EIP-3009 payments are signed against this domain, and a wrong name or version invalidates them. Permit2 payments
        are signed against the domain of the Permit2 contract.
      </p>

      <div className={domainColumns}>
        <InfoList label="EIP-712 domain">
          <InfoRow label="Name">
            {name === undefined ? (
              <span className="text-ink-3">Not reported by the contract</span>
            ) : (
              <Copied value={name} what="domain name" />
            )}
          </InfoRow>
          <InfoRow label="Version">
            <Copied value={version} what="domain version" />
          </InfoRow>
          <InfoRow label="Chain ID">
            <Copied value={String(chainId)} what="chain ID" />
          </InfoRow>
          <InfoRow label="Verifying contract">
            <AddressLink full contract address={address} current />
          </InfoRow>
          {computed !== undefined && computed !== stored && (
            <InfoRow label="Computed separator">
              <CopiedHash value={computed} what="computed separator" />
            </InfoRow>
          )}
          <InfoRow label="Separator on chain" hint="The result of DOMAIN_SEPARATOR()">
            {stored === undefined ? (
              <span className="text-ink-3">The token has no DOMAIN_SEPARATOR()</span>
            ) : (
              <CopiedHash value={stored} what="separator on chain" />
            )}
          </InfoRow>
        </InfoList>
      </div>
    </Sheet>
  );
}

function Copied({ value, what }: { value: string; what: string }) {
  return (
    <span className="identifier">
      {value}
      <Copy value={value} what={what} />
    </span>
  );
}

function Verdict({ matches }: { matches: boolean }) {
  return (
    <span className={`flex items-start gap-2 text-13 ${matches ? "text-pos" : "text-neg"}`}>
      <Icon name={matches ? "check" : "alert"} className="mt-0.5" />
      {matches ? "Matches the contract" : "Doesn’t match the contract: signatures will be rejected"}
    </span>
  );
}

function Support({ address }: { address: string }) {
  const { data } = useQuery(selectorsQuery(useSource(), address));
  return (
    <Sheet title="Signature support" id="support">
      <div className="max-sm:[&_.info-row]:grid-cols-[9rem_minmax(0,1fr)]! max-[22rem]:[&_.info-row]:grid-cols-[minmax(0,1fr)_max-content]! xl:*:grid xl:*:grid-cols-3 xl:[&_.info-row]:border-b-0">
        <InfoList label="Signature support">
          {supports.map(({ label, anyOf, ...hint }) => {
            const found = data && anyOf.some((selector) => data.selectors.includes(selector));
            return (
              <InfoRow key={label} label={label} {...hint}>
                {data === undefined ? (
                  <span className="skeleton w-24" />
                ) : (
                  <span className={`flex items-center gap-2 ${found ? "text-pos" : "text-ink-3"}`}>
                    <Icon name={found ? "check" : "minus"} />
                    {found ? "Supported" : "Not supported"}
                  </span>
                )}
              </InfoRow>
            );
          })}
        </InfoList>
      </div>
    </Sheet>
  );
}
