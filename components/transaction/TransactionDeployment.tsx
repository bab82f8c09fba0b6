"use client";
/** The contract that a transaction deployed: its code, its functions and its constructor's arguments. */
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { AddressLink } from "@/components/atoms/AddressLink";
import { InfoList, InfoRow } from "@/components/atoms/InfoRow";
import { AppLink } from "@/components/layout/AppLink";
import { useSource } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { BytesView } from "@/components/trace/BytesView";
import { usePastedAbis } from "@/components/trace/pastedAbis";
import { findConstructorArguments } from "@/lib/decode/constructorArguments";
import type { Decoded } from "@/lib/decode/decoded";
import { toAddressPath } from "@/lib/links";
import { selectorsQuery } from "@/lib/query/explorerQueries";
import { codeQuery } from "@/lib/query/queries";
import { formatBytes } from "@/lib/units";

/** Functions beyond this number are counted, but not listed. */
const shownFunctions = 12;

const toSize = (code: string) => formatBytes((code.length - 2) / 2);

export function TransactionDeployment({ address, initCode }: { address: string; initCode: string }) {
  const source = useSource();
  const { data: code } = useQuery(codeQuery(source, address));
  const constructorArguments = code === undefined ? undefined : findConstructorArguments(initCode, code);
  const { data: found } = useQuery(selectorsQuery(source, address));
  const path = toAddressPath(source.network, address);
  const isCallable = found === undefined || found.selectors.length > 0;
  return (
    <Sheet
      id="deployment"
      title="Deployed contract"
      aside={
        <AppLink href={`${path}/${isCallable ? "contract" : "code"}`} className="button">
          {isCallable ? "Read and write" : "View code"}
        </AppLink>
      }
    >
      <InfoList columns label="Deployed contract" request={codeQuery(source, address).queryKey}>
        <InfoRow label="Address">
          <AddressLink full contract address={address} />
        </InfoRow>
        <InfoRow second label="Size" hint="The init code ran once and returned the contract’s code">
          {code === undefined ? (
            <span className="skeleton w-40" />
          ) : (
            <>
              <AppLink href={`${path}/code`}>{toSize(code)} of code</AppLink>
              <span className="text-ink-2"> from {toSize(initCode)} of init code</span>
            </>
          )}
        </InfoRow>
      </InfoList>
      <InfoList label="Functions and arguments" request={codeQuery(source, address).queryKey}>
        <Functions address={address} />
        {constructorArguments !== undefined && constructorArguments !== "0x" && (
          <InfoRow label="Constructor arguments">
            <ConstructorArguments data={constructorArguments} />
          </InfoRow>
        )}
      </InfoList>
    </Sheet>
  );
}

function Functions({ address }: { address: string }) {
  const query = selectorsQuery(useSource(), address);
  const { data } = useQuery(query);
  const count = data?.selectors.length ?? 0;
  return (
    <InfoRow label="Functions" request={query.queryKey}>
      {data === undefined ? (
        <span className="skeleton w-64" />
      ) : count === 0 ? (
        <span className="text-ink-3">None found in the code</span>
      ) : (
        <ul className="flex flex-wrap gap-x-4">
          {data.selectors.slice(0, shownFunctions).map((selector, at) => (
            <li key={selector} className="mono leading-6">
              {data.signatures[at]?.split("(")[0] ?? <span className="text-ink-3">{selector}</span>}
            </li>
          ))}
          {count > shownFunctions && <li className="text-ink-2">and {count - shownFunctions} more</li>}
        </ul>
      )}
    </InfoRow>
  );
}

function ConstructorArguments({ data }: { data: string }) {
  const abis = usePastedAbis();
  const [reading, setReading] = useState<Decoded | undefined>(undefined);
  useEffect(() => {
    let isGone = false;
    setReading(undefined);
    if (abis.length === 0) return;
    void import("@/components/trace/pastedDecoder").then(({ decodeConstructor }) => {
      if (!isGone) setReading(decodeConstructor(abis, data));
    });
    return () => {
      isGone = true;
    };
  }, [abis, data]);
  return <BytesView data={data} what="constructor arguments" readings={reading ? [reading] : []} />;
}
