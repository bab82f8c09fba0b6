"use client";
/**
 * What a developer needs to point a tool at this network: endpoint, chain id, first calls, wallet.
 */
import { useState } from "react";
import { AddressLink } from "@/components/chain/AddressLink";
import { Copy } from "@/components/chain/Copy";
import { InfoList, InfoRow } from "@/components/chain/InfoRow";
import { type NetworkContextValue, useNetworkContext } from "@/components/chain/NetworkContext";
import { Snippet } from "@/components/chain/Snippet";
import { AddToWallet } from "@/components/explorer/AddToWallet";
import { testMnemonic } from "@/components/explorer/NoTransactions";
import { Sheet } from "@/components/layout/Sheet";
import { t } from "@/lib/messages/translateHome";
import { toRpcPath } from "@/lib/networks";

const tools = ["curl", "viem", "cast"] as const;

function toSnippet(tool: (typeof tools)[number], { network, origin }: NetworkContextValue): string {
  const url = `${origin}${toRpcPath(network)}`;
  switch (tool) {
    case "curl":
      return `curl ${url} \\\n  -H 'content-type: application/json' \\\n  -d '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}'`;
    case "cast":
      return `export ETH_RPC_URL=${url}\ncast block latest\ncast gas-price`;
    case "viem": {
      const { name, symbol, decimals } = network.nativeCurrency;
      return `import { createPublicClient, defineChain, http } from "viem";

const chain = defineChain({
  id: ${network.chainId},
  name: "${network.label}",
  nativeCurrency: { name: "${name}", symbol: "${symbol}", decimals: ${decimals} },
  rpcUrls: { default: { http: ["${url}"] } },
});
const client = createPublicClient({ chain, transport: http() });
console.log(await client.getBlockNumber());`;
    }
  }
}

export function Connect({ funded }: { funded: `0x${string}`[] }) {
  const context = useNetworkContext();
  const { network, origin } = context;
  const [tool, setTool] = useState<(typeof tools)[number]>("curl");
  const url = `${origin}${toRpcPath(network)}`;
  return (
    <Sheet id="connect" title={t("connect.title")} aside={<AddToWallet />}>
      <div className="grid lg:grid-cols-2">
        <InfoList label={t("connect.title")}>
          <InfoRow label={t("connect.rpc")}>
            <span className="identifier">
              <span className="mono break-all">{url}</span>
              <Copy value={url} what={t("connect.rpc")} quiet={false} />
            </span>
          </InfoRow>
          <InfoRow label={t("connect.chainId")}>
            <span className="identifier">
              {network.chainId}
              <span className="mono text-ink-3">0x{network.chainId.toString(16)}</span>
              <Copy value={String(network.chainId)} what={t("connect.chainId")} quiet={false} />
            </span>
          </InfoRow>
          <InfoRow label={t("connect.currency")}>
            {network.nativeCurrency.symbol}, {t("connect.decimals", { count: network.nativeCurrency.decimals })}
          </InfoRow>
          {network.tokens.map((token) => (
            <InfoRow key={token.address} label={token.symbol}>
              <AddressLink full address={token.address} />
            </InfoRow>
          ))}
          {network.embedded && funded.length > 0 && <FundedRow funded={funded} />}
        </InfoList>
        <div className="flex min-w-0 flex-col border-line max-lg:border-t lg:border-l">
          <div className="flex items-center justify-between px-4 py-2">
            <span className="label">{t("connect.firstCall")}</span>
            <span className="segmented">
              {tools.map((name) => (
                <button key={name} type="button" aria-pressed={name === tool} onClick={() => setTool(name)}>
                  {name}
                </button>
              ))}
            </span>
          </div>
          <div className="flex grow border-line border-t bg-sunken [&>*]:w-full">
            <Snippet code={toSnippet(tool, context)} what={t("connect.snippet", { tool })} />
          </div>
        </div>
      </div>
    </Sheet>
  );
}

/** First account of the test mnemonic. */
const firstTestAccount = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";

function FundedRow({ funded }: { funded: `0x${string}`[] }) {
  const usesTestMnemonic = funded[0]?.toLowerCase() === firstTestAccount;
  return (
    <InfoRow label={t("connect.funded")} hint={t("connect.fundedHint")}>
      <span className="flex flex-wrap items-center gap-x-4">
        {funded.slice(0, 3).map((address) => (
          <AddressLink key={address} address={address} copy />
        ))}
        {funded.length > 3 && <span className="text-ink-3">{t("connect.more", { count: funded.length - 3 })}</span>}
      </span>
      {usesTestMnemonic && (
        <span className="identifier">
          <span className="text-ink-2 text-13">{t("connect.mnemonic")}</span>
          <Copy value={testMnemonic} what={t("what.mnemonic")} quiet={false} />
        </span>
      )}
    </InfoRow>
  );
}
