/** How to make a server use this facilitator: the facilitator's URL, and code to copy. */
"use client";

import { useState } from "react";
import { Capped } from "@/components/atoms/Capped";
import { Choices } from "@/components/atoms/Choices";
import { Copy } from "@/components/atoms/Copy";
import { ScriptText } from "@/components/atoms/ScriptText";
import { Snippet } from "@/components/atoms/Snippet";
import { WrapText } from "@/components/atoms/WrapText";
import { useNetwork } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { type SellerTool, sellerTools, toSellerCode } from "./sellerCode";

const labels: Record<SellerTool, string> = { express: "@x402/express", tollscan: "tollscan/server", curl: "curl" };

/** On phones, lines wrap, and longer code would hide what follows it. */
const mostPhoneLines = 12;

export function FacilitatorUse({ url }: { url: string }) {
  const network = useNetwork();
  const [tool, setTool] = useState<SellerTool>("express");
  const code = toSellerCode(tool, url, network);
  const lines = code.split("\n").length;
  return (
    <Sheet
      id="use"
      title="Use it from your server"
      aside={<Choices names={sellerTools} labels={labels} chosen={tool} onChoose={setTool} />}
    >
      <p className="flex items-center gap-x-2 px-4 py-2.5 text-14">
        <span className="mono min-w-0 wrap-anywhere text-13">
          <WrapText text={url} />
        </span>
        <Copy value={url} what="facilitator URL" quiet={false} />
      </p>
      <div className="flex-1 border-line border-t bg-sunken">
        <Capped isLong={lines > mostPhoneLines} all={`${lines} lines`} height="phone">
          <Snippet
            isWhole
            {...(tool !== "curl" && { Text: ScriptText })}
            code={code}
            what={`${labels[tool]} example`}
          />
        </Capped>
      </div>
    </Sheet>
  );
}
