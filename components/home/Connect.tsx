"use client";
import { useState } from "react";
import { AddressLink } from "@/components/atoms/AddressLink";
import { Choices } from "@/components/atoms/Choices";
import { Copy } from "@/components/atoms/Copy";
import { InfoList, InfoRow } from "@/components/atoms/InfoRow";
import { Snippet } from "@/components/atoms/Snippet";
/** What a developer needs to connect to this network: endpoint, chain ID, first calls and wallet setup. */
import { Url } from "@/components/atoms/Url";
import { type NetworkContextValue, useNetworkContext } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { AddToWallet } from "@/components/wallet/AddToWallet";
import { toChecksumAddress } from "@/lib/address";
import { toCurlExample } from "@/lib/curlExample";
import { toHomePath } from "@/lib/links";
import { toChainName, toRpcPath } from "@/lib/networks";

const tools = ["curl", "viem", "ethers", "hardhat", "cast"] as const;
const toolLabels = { curl: "curl", viem: "viem", ethers: "ethers", hardhat: "Hardhat", cast: "cast" };

function toSnippet(tool: (typeof tools)[number], { network, origin }: NetworkContextValue): string {
  const url = `${origin}${toRpcPath(network)}`;
  switch (tool) {
    case "curl":
      return toCurlExample(url);
    case "cast":
      return `export ETH_RPC_URL=${url}\ncast block latest\ncast gas-price`;
    case "ethers":
      return `import { JsonRpcProvider } from "ethers";

const provider = new JsonRpcProvider("${url}");
console.log(await provider.getBlockNumber());`;
    case "hardhat":
      return `// hardhat.config.ts
import { defineConfig } from "hardhat/config";

export default defineConfig({
  networks: {
    tollscan: { type: "http", url: "${url}", chainId: ${network.chainId} },
  },
});`;
    case "viem": {
      const { name, symbol, decimals } = network.nativeCurrency;
      return `import { createPublicClient, defineChain, http } from "viem";

const chain = defineChain({
  id: ${network.chainId},
  name: "${toChainName(network)}",
  nativeCurrency: { name: "${name}", symbol: "${symbol}", decimals: ${decimals} },
  rpcUrls: { default: { http: ["${url}"] } },
});
const client = createPublicClient({ chain, transport: http() });
console.log(await client.getBlockNumber());`;
    }
  }
}

export function Connect() {
  const context = useNetworkContext();
  const { network, origin } = context;
  const [tool, setTool] = useState<(typeof tools)[number]>("curl");
  const url = `${origin}${toRpcPath(network)}`;
  const explorerUrl = `${origin}${toHomePath(network.name)}`;
  return (
    <Sheet id="connect" title="Connect to this network" aside={<AddToWallet />}>
      <div className="flex-1 @min-[64rem]:grid-cols-2 @min-[64rem]:grid-rows-1 grid grid-cols-[minmax(0,1fr)] grid-rows-[auto_1fr] sm:[&_.info-row]:grid-cols-[6.5rem_minmax(0,1fr)] xl:[&_.info-row]:py-1">
        <InfoList label="Connect to this network">
          <InfoRow label="Name">
            <span className="identifier text-13">
              {toChainName(network)}
              <Copy value={toChainName(network)} what="network name" quiet={false} />
            </span>
          </InfoRow>
          <InfoRow label="RPC URL">
            <span className="identifier">
              <Url url={url} />
              <Copy value={url} what="RPC URL" quiet={false} />
            </span>
          </InfoRow>
          <InfoRow label="Chain ID">
            <span className="identifier text-13">
              {network.chainId}
              <span className="mono text-ink-3">0x{network.chainId.toString(16)}</span>
              <Copy value={String(network.chainId)} what="Chain ID" quiet={false} />
            </span>
          </InfoRow>
          <InfoRow label="Currency">
            <span className="identifier text-13">
              {network.nativeCurrency.symbol}
              <span className="text-ink-3">{network.nativeCurrency.decimals} decimals</span>
              <Copy value={network.nativeCurrency.symbol} what="currency symbol" quiet={false} />
            </span>
          </InfoRow>
          <InfoRow label="Explorer URL">
            <span className="identifier">
              <Url url={explorerUrl} />
              <Copy value={explorerUrl} what="explorer URL" quiet={false} />
            </span>
          </InfoRow>
          {network.tokens.map((token) => (
            <InfoRow key={token.address} label={token.symbol}>
              <span className="identifier">
                <AddressLink full unnamed copy={false} address={token.address} />
                <Copy value={toChecksumAddress(token.address)} what={`${token.symbol} address`} quiet={false} />
              </span>
            </InfoRow>
          ))}
        </InfoList>
        <div className="flex min-w-0 flex-col border-line border-t @min-[64rem]:border-t-0 @min-[64rem]:border-l">
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1.5 px-4 py-2">
            <span className="label whitespace-nowrap">Try it</span>
            <Choices names={tools} labels={toolLabels} chosen={tool} onChoose={setTool} />
          </div>
          <div className="flex grow border-line border-t bg-sunken [&>*]:w-full">
            <Snippet isWhole code={toSnippet(tool, context)} what={`${toolLabels[tool]} example`} />
          </div>
        </div>
      </div>
    </Sheet>
  );
}
