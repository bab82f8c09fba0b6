"use client";
/** An address's code: its functions, bytes and instructions. */
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { disassemble } from "@/components/address/disassemble";
import { Bytes } from "@/components/atoms/Bytes";
import { Capped } from "@/components/atoms/Capped";
import { Copy } from "@/components/atoms/Copy";
import { SignatureText } from "@/components/atoms/SignatureText";
import { AppLink } from "@/components/layout/AppLink";
import { Empty } from "@/components/layout/Empty";
import { useSource } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { QueryContent } from "@/components/lists/QueryContent";
import { toAddressPath } from "@/lib/links";
import { plural } from "@/lib/plural";
import { selectorsQuery } from "@/lib/query/explorerQueries";
import { codeQuery } from "@/lib/query/queries";
import type { RpcResult } from "@/lib/rpc/methods";
import { formatBytes, formatInteger } from "@/lib/units";

/** How much of longer code is shown initially; a button shows the rest. */
const shownInstructions = 24;
const shownCharacters = 1_200;
/** Phones cap a longer list. */
const mostWholeFunctions = 8;

type Props = {
  address: `0x${string}`;
  /** The selectors of the functions that are known to change nothing. */
  reads: readonly string[];
};

export function AddressCode({ address, reads }: Props) {
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
            <Functions address={address} reads={reads} />
            {/* Short code beside its instructions would leave most of its column empty. */}
            <div
              className={`grid min-w-0 gap-6 ${code.length > shownCharacters ? "md:grid-cols-[minmax(0,1fr)_19rem] lg:grid-cols-[minmax(0,1fr)_22rem]" : ""}`}
            >
              <Bytecode code={code} />
              <Disassembly code={code} />
            </div>
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
      <Capped
        isLong={code.length > shownCharacters}
        all={formatBytes((code.length - 2) / 2)}
        height="max-sm:max-h-60 max-h-120"
      >
        <Bytes className="max-h-none! px-4!">{code}</Bytes>
      </Capped>
    </Sheet>
  );
}

type NamedSelector = { selector: string; signature: string | undefined };

/** In each group, functions are sorted by signature, so that overloads are next to each other. */
function toGroups({ selectors, signatures }: RpcResult<"explorer_getSelectors">, reads: readonly string[]) {
  const groups: Record<"Read" | "Write" | "Unknown", NamedSelector[]> = { Read: [], Write: [], Unknown: [] };
  for (const [at, selector] of selectors.entries()) {
    const signature = signatures[at] ?? undefined;
    const group = signature === undefined ? "Unknown" : reads.includes(selector) ? "Read" : "Write";
    groups[group].push({ selector, signature });
  }
  const toKey = ({ signature = "" }: NamedSelector) => signature.toLowerCase();
  return Object.entries(groups).map(([title, functions]) => ({
    title,
    functions: functions.toSorted((a, b) => toKey(a).localeCompare(toKey(b), "en")),
  }));
}

function Functions({ address, reads }: Props) {
  const source = useSource();
  const query = selectorsQuery(source, address);
  const { data } = useQuery(query);
  const forms = `${toAddressPath(source.network, address)}/contract`;
  return (
    <Sheet
      id="functions"
      title="Functions"
      aside={
        data && data.selectors.length > 0 ? (
          <span className="flex flex-wrap gap-x-3 text-13 text-ink-2">
            {data.selectors.length} found in the bytecode
            <AppLink href={forms} className="text-accent">
              Call them
            </AppLink>
          </span>
        ) : undefined
      }
    >
      <QueryContent query={query} rows={4}>
        {(found) =>
          found.selectors.length === 0 ? (
            <p className="px-4 py-3 text-13 text-ink-2">
              None found: this code doesn’t choose a function by its selector. To decode its calls, add its ABI under{" "}
              <AppLink href={forms} className="text-accent">
                Read and write
              </AppLink>
              .
            </p>
          ) : (
            <Capped
              isLong={found.selectors.length > mostWholeFunctions}
              all={`${found.selectors.length} functions`}
              height="phone"
              isSunken={false}
            >
              <div className="gap-x-8 px-4 py-2 sm:py-3 lg:columns-2">
                {toGroups(found, reads).map(
                  ({ title, functions }) =>
                    functions.length > 0 && <Group key={title} title={title} list={functions} forms={forms} />,
                )}
              </div>
            </Capped>
          )
        }
      </QueryContent>
    </Sheet>
  );
}

/** `forms` is the path of the functions' forms. */
function Group({ title, list, forms }: { title: string; list: readonly NamedSelector[]; forms: string }) {
  return (
    <section className="not-last:mb-3">
      <h3 className="break-after-avoid py-1 font-medium text-12 text-ink-2">
        {title} <span className="ml-1 font-normal text-ink-3">{list.length}</span>
      </h3>
      <ul>
        {list.map(({ selector, signature }) => (
          <li
            key={selector}
            className="flex break-inside-avoid gap-x-4 sm:items-baseline border-line py-0.5 max-sm:flex-col-reverse max-sm:py-1.5 max-sm:not-last:border-b"
          >
            <code className="mono text-ink-3">{selector}</code>
            <span className="min-w-0">
              {signature ? (
                // If the signature wraps, the selector is beside its first line.
                <AppLink href={`${forms}#${selector}`} className="block">
                  <SignatureText signature={signature} />
                </AppLink>
              ) : (
                <code className="mono text-ink-3">unknown function</code>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Disassembly({ code }: { code: string }) {
  const lines = useMemo(() => disassemble(code), [code]);
  const size = `${formatInteger(BigInt(lines.length))} ${plural(lines.length, "instruction")}`;
  return (
    <Sheet
      id="disassembly"
      title="Disassembly"
      aside={
        <span className="flex items-center gap-3 text-13 text-ink-2">
          {size}
          <Copy value={lines.join("\n")} what="disassembly" quiet={false} />
        </span>
      }
    >
      <Capped
        isLong={lines.length > shownInstructions}
        all={size}
        height="max-sm:max-h-60 max-h-120"
        start={<Bytes className="max-h-none! px-4!">{lines.slice(0, shownInstructions).join("\n")}</Bytes>}
      >
        <Bytes className="max-h-[80vh]! px-4!">{lines.join("\n")}</Bytes>
      </Capped>
    </Sheet>
  );
}
