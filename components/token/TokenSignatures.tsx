"use client";
/**
 * What signed payments in a token rely on: its EIP-712 domain against the separator on chain, which signatures its code
 * knows, and what became of an authorization.
 */
import { useQuery } from "@tanstack/react-query";
import { domainSeparator } from "viem";
import { AddressLink } from "@/components/chain/AddressLink";
import { Hash } from "@/components/chain/Hash";
import { Icon } from "@/components/chain/Icon";
import { InfoList, InfoRow } from "@/components/chain/InfoRow";
import { useNetwork, useSource } from "@/components/chain/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { AuthorizationState } from "@/components/token/AuthorizationState";
import { selectors } from "@/components/token/tokenSelectors";
import { findStringAnswer } from "@/components/token/useToken";
import { t } from "@/lib/messages/translateToken";
import { selectorsQuery, viewQuery } from "@/lib/query/explorerQueries";

/** permit with v, r, s or bytes; transferWithAuthorization likewise. */
const supports = [
  { label: "token.eip2612", anyOf: ["0xd505accf", "0x9fd5a6cf"] },
  { label: "token.eip3009", anyOf: ["0xe3ee160e", "0xcf092995"] },
] as const;

/** address in lowercase */
export function TokenSignatures({ address }: { address: `0x${string}` }) {
  return (
    <>
      <Domain address={address} />
      <Support address={address} />
      <AuthorizationState address={address} />
    </>
  );
}

function Domain({ address }: { address: `0x${string}` }) {
  const source = useSource();
  const { chainId, tokens } = useNetwork();
  const configured = tokens.find((token) => token.address.toLowerCase() === address)?.eip712;
  const { data: nameAnswer } = useQuery(viewQuery(source, address, selectors.name));
  const { data: versionAnswer } = useQuery(viewQuery(source, address, selectors.version));
  const { data: onChain, isPending } = useQuery(viewQuery(source, address, selectors.domainSeparator));
  // What payers sign for is what the network's configuration says; a token it does not know is taken at its word.
  const name = configured?.name ?? findStringAnswer(nameAnswer);
  const version = configured?.version ?? findStringAnswer(versionAnswer) ?? "1";
  if (isPending)
    return (
      <Sheet title={t("token.domain")} id="domain">
        <p className="min-h-40 p-4" aria-busy />
      </Sheet>
    );
  const stored = onChain?.length === 66 ? onChain : undefined;
  const computed =
    name === undefined
      ? undefined
      : domainSeparator({ domain: { name, version, chainId, verifyingContract: address } });
  return (
    <Sheet title={t("token.domain")} id="domain">
      <p className="border-line border-b px-4 py-2 text-13 text-ink-2">{t("token.domainHint")}</p>
      <InfoList label={t("token.domain")}>
        <InfoRow label={t("token.domainName")}>{name ?? t("token.noAnswer")}</InfoRow>
        <InfoRow label={t("token.domainVersion")}>{version}</InfoRow>
        <InfoRow label={t("token.domainChain")}>{chainId}</InfoRow>
        <InfoRow label={t("token.domainContract")}>
          <AddressLink full contract address={address} current />
        </InfoRow>
        {computed && (
          <InfoRow label={t("token.computed")}>
            <Hash value={computed} />
          </InfoRow>
        )}
        <InfoRow label={t("token.onChain")}>
          {stored === undefined ? (
            <span className="text-ink-3">{t("token.domainMissing")}</span>
          ) : (
            <span className="flex min-w-0 flex-col">
              <Hash value={stored} />
              <Verdict
                good={stored === computed}
                text={stored === computed ? "token.domainMatches" : "token.domainDiffers"}
              />
            </span>
          )}
        </InfoRow>
      </InfoList>
    </Sheet>
  );
}

function Verdict({ good, text }: { good: boolean; text: "token.domainMatches" | "token.domainDiffers" }) {
  return (
    <span className={`flex items-center gap-2 ${good ? "text-pos" : "text-neg"}`}>
      <Icon name={good ? "check" : "alert"} />
      {t(text)}
    </span>
  );
}

function Support({ address }: { address: string }) {
  const { data } = useQuery(selectorsQuery(useSource(), address));
  return (
    <Sheet title={t("token.support")} id="support">
      <InfoList label={t("token.support")}>
        {supports.map(({ label, anyOf }) => {
          const found = data && anyOf.some((selector) => data.selectors.includes(selector));
          return (
            <InfoRow key={label} label={t(label)}>
              {data === undefined ? (
                <span className="skeleton w-24" />
              ) : (
                <span className={found ? "text-pos" : "text-ink-3"}>{t(found ? "token.supports" : "token.lacks")}</span>
              )}
            </InfoRow>
          );
        })}
      </InfoList>
    </Sheet>
  );
}
