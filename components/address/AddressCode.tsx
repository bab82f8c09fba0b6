"use client";
/** An address's code: its functions, bytes and instructions. */
import { useMemo, useState } from "react";
import { disassemble } from "@/components/address/disassemble";
import { Bytes } from "@/components/atoms/Bytes";
import { Copy } from "@/components/atoms/Copy";
import { SignatureText } from "@/components/atoms/SignatureText";
import { Empty } from "@/components/layout/Empty";
import { useSource } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { QueryContent } from "@/components/lists/QueryContent";
import { selectorsQuery } from "@/lib/query/explorerQueries";
import { codeQuery } from "@/lib/query/queries";
import { formatBytes } from "@/lib/units";

/** The number of instructions shown initially; a button shows the rest. */
const shownInstructions = 500;

export function AddressCode({ address }: { address: `0x${string}` }) {
  return (
    <QueryContent framed query={codeQuery(useSource(), address)} rows={8}>
      {(code) =>
        code === "0x" ? (
          <Sheet>
            <Empty title="This address has no code">
              <p>Code appears once a contract is deployed to this address or the account delegates to a contract.</p>
            </Empty>
          </Sheet>
        ) : (
          <>
            <Functions address={address} />
            <Bytecode code={code} />
            <Disassembly code={code} />
          </>
        )
      }
    </QueryContent>
  );
}

function Bytecode({ code }: { code: string }) {
  return (
    <Sheet
      id="bytecode"
      title="Bytecode"
      aside={
        <span className="flex items-center gap-3 text-13 text-ink-2">
          {formatBytes((code.length - 2) / 2)}
          <Copy value={code} what="bytecode" quiet={false} />
        </span>
      }
    >
      <Bytes>{code}</Bytes>
    </Sheet>
  );
}

function Functions({ address }: { address: string }) {
  return (
    <Sheet id="functions" title="Functions">
      <p className="border-line border-b px-4 py-2 text-13 text-ink-2">Function selectors found in the bytecode</p>
      <QueryContent query={selectorsQuery(useSource(), address)} rows={4}>
        {({ selectors, signatures }) =>
          selectors.length === 0 ? (
            <Empty title="No function selectors found" />
          ) : (
            <ul className="columns-1 gap-8 px-4 py-3 md:columns-2">
              {selectors.map((selector, at) => (
                <li key={selector} className="flex break-inside-avoid gap-x-3 max-sm:flex-col max-sm:py-0.5">
                  <code className="mono text-ink-2">{selector}</code>
                  <span className="min-w-0">
                    {signatures[at] ? (
                      <SignatureText signature={signatures[at]} />
                    ) : (
                      <code className="mono text-ink-3">unknown</code>
                    )}
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </QueryContent>
    </Sheet>
  );
}

function Disassembly({ code }: { code: string }) {
  const lines = useMemo(() => disassemble(code), [code]);
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? lines : lines.slice(0, shownInstructions);
  return (
    <Sheet
      id="disassembly"
      title="Disassembly"
      aside={<Copy value={lines.join("\n")} what="Disassembly" quiet={false} />}
    >
      <Bytes>{shown.join("\n")}</Bytes>
      {shown.length < lines.length && (
        <p className="border-line border-t px-4 py-2">
          <button type="button" className="button" onClick={() => setWhole(true)}>
            Show all {lines.length} instructions
          </button>
        </p>
      )}
    </Sheet>
  );
}
