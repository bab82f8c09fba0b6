"use client";
/** What a developer needs to connect to this network: endpoint, chain ID, first calls and wallet setup. */
import { type ReactNode, useState } from "react";
import { AddressLink } from "@/components/atoms/AddressLink";
import { Choices } from "@/components/atoms/Choices";
import { Copy } from "@/components/atoms/Copy";
import { InfoList, InfoRow } from "@/components/atoms/InfoRow";
import { Snippet } from "@/components/atoms/Snippet";
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

/** `what` names the value that the button copies. */
function Fact({
  label,
  value,
  what,
  children = value,
}: {
  label: string;
  value: string;
  what: string;
  children?: ReactNode;
}) {
  return (
    <InfoRow label={label}>
      <span className="identifier text-13">
        {children}
        <Copy value={value} what={what} quiet={false} />
      </span>
    </InfoRow>
  );
}

export function Connect() {
  const context = useNetworkContext();
  const { network, origin } = context;
  const { symbol, decimals } = network.nativeCurrency;
  const [tool, setTool] = useState<(typeof tools)[number]>("curl");
  const url = `${origin}${toRpcPath(network)}`;
  const explorerUrl = `${origin}${toHomePath(network.name)}`;
  return (
    <Sheet id="connect" title="Connect to this network" aside={<AddToWallet />}>
      <div className="flex-1 @min-[64rem]:grid-cols-2 @min-[64rem]:grid-rows-1 grid grid-cols-[minmax(0,1fr)] grid-rows-[auto_1fr] sm:[&_.info-row]:grid-cols-[6.5rem_minmax(0,1fr)] xl:[&_.info-row]:py-1">
        <InfoList label="Connect to this network">
          <Fact label="Name" value={toChainName(network)} what="network name" />
          <Fact label="RPC URL" value={url} what="RPC URL">
            <Url url={url} />
          </Fact>
          <Fact label="Chain ID" value={String(network.chainId)} what="Chain ID">
            {network.chainId}
            <span className="mono text-ink-3">0x{network.chainId.toString(16)}</span>
          </Fact>
          <Fact label="Currency" value={symbol} what="currency symbol">
            {symbol}
            <span className="text-ink-3">{decimals} decimals</span>
          </Fact>
          <Fact label="Explorer URL" value={explorerUrl} what="explorer URL">
            <Url url={explorerUrl} />
          </Fact>
          {network.tokens.map((token) => (
            <Fact
              key={token.address}
              label={token.symbol}
              value={toChecksumAddress(token.address)}
              what={`${token.symbol} address`}
            >
              <AddressLink full unnamed copy={false} address={token.address} />
            </Fact>
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
