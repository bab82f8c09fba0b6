"use client";
/**
 * The code of an address: the functions it dispatches, its bytes, and its instructions.
 */
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { disassemble } from "@/components/address/disassemble";
import { Copy } from "@/components/atoms/Copy";
import { Empty } from "@/components/layout/Empty";
import { useSource } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { QueryFailure } from "@/components/lists/QueryFailure";
import { SkeletonRows } from "@/components/lists/SkeletonRows";
import { selectorsQuery } from "@/lib/query/explorerQueries";
import { codeQuery } from "@/lib/query/queries";
import { formatBytes } from "@/lib/units";

/** Shown at first; a button shows the rest. */
const shownInstructions = 500;

export function AddressCode({ address }: { address: `0x${string}` }) {
  const { data: code, error, refetch } = useQuery(codeQuery(useSource(), address));
  if (error) {
    return (
      <Sheet>
        <QueryFailure error={error} method="eth_getCode" onRetry={refetch} />
      </Sheet>
    );
  }
  if (code === undefined) {
    return (
      <Sheet>
        <SkeletonRows rows={8} label="Loading rows" />
      </Sheet>
    );
  }
  if (code === "0x") {
    return (
      <Sheet>
        <Empty title="This address has no code">
          <p>Code appears here once a contract is created at this address or it delegates to one.</p>
        </Empty>
      </Sheet>
    );
  }
  return (
    <>
      <Functions address={address} />
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
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
        <pre tabIndex={0} className="bytes">
          {code}
        </pre>
      </Sheet>
      <Disassembly code={code} />
    </>
  );
}

function Functions({ address }: { address: string }) {
  const { data } = useQuery(selectorsQuery(useSource(), address));
  return (
    <Sheet id="functions" title="Functions">
      <p className="border-line border-b px-4 py-2 text-13 text-ink-2">Function selectors found in the bytecode</p>
      {data === undefined ? (
        <SkeletonRows rows={4} label="Loading rows" />
      ) : data.selectors.length === 0 ? (
        <Empty title="No function selectors found" />
      ) : (
        <ul className="columns-1 gap-8 px-4 py-3 sm:columns-2">
          {data.selectors.map((selector, at) => (
            <li key={selector} className="flex gap-3">
              <code className="mono text-ink-2">{selector}</code>
              <code className="mono min-w-0 break-all">
                {data.signatures[at] ?? <span className="text-ink-3">unknown</span>}
              </code>
            </li>
          ))}
        </ul>
      )}
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
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <pre tabIndex={0} className="bytes">
        {shown.join("\n")}
      </pre>
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
