/** How to make a server use this facilitator: the facilitator's URL, and code to copy. */
"use client";

import { useState } from "react";
import { Choices } from "@/components/atoms/Choices";
import { Copy } from "@/components/atoms/Copy";
import { Snippet } from "@/components/atoms/Snippet";
import { WrapText } from "@/components/atoms/WrapText";
import { useNetwork } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { type PageNetwork, toCaip2 } from "@/lib/networks";

const tools = ["express", "x402", "curl"] as const;
const labels = { express: "Express", x402: "@x402/core", curl: "curl" };

export function FacilitatorUse({ url }: { url: string }) {
  const network = useNetwork();
  const [tool, setTool] = useState<(typeof tools)[number]>("express");
  return (
    <Sheet
      id="use"
      title="Use it from your server"
      aside={<Choices names={tools} labels={labels} chosen={tool} onChoose={setTool} />}
    >
      <p className="flex items-center gap-x-2 px-4 py-2.5 text-14">
        <span className="mono min-w-0 wrap-anywhere text-13">
          <WrapText text={url} />
        </span>
        <Copy value={url} what="facilitator URL" quiet={false} />
      </p>
      <div className="flex-1 border-line border-t bg-sunken">
        <Snippet code={toSnippet(tool, url, network)} what={`${labels[tool]} example`} />
      </div>
    </Sheet>
  );
}

function toSnippet(tool: (typeof tools)[number], url: string, network: PageNetwork): string {
  switch (tool) {
    case "curl":
      return `curl ${url}/supported`;
    case "x402":
      return `import { x402ResourceServer } from "@x402/core/server";
import { HTTPFacilitatorClient } from "@x402/core/http";
import { ExactEvmScheme } from "@x402/evm/exact/server";

const facilitator = new HTTPFacilitatorClient({ url: "${url}" });
const server = new x402ResourceServer(facilitator)
  .register("${toCaip2(network.chainId)}", new ExactEvmScheme());`;
    case "express":
      return `import express from "express";
import { createPaywall } from "tollscan/server";

const facilitatorUrl = "${url}";
const { requirePayment } = createPaywall({ facilitatorUrl });
const payTo = "0x…"; // your address
const price = { network: "${network.name}", price: "$0.01", payTo };

const app = express();
const paid = requirePayment({ accepts: { scheme: "exact", ...price } });
app.get("/report", paid, (_request, response) => {
  response.json({ report: "sunny" });
});
app.listen(4021);`;
  }
}
