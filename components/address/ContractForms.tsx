"use client";
/**
 * Forms for calling a contract's functions. View functions are called directly, and other functions through the
 * connected wallet. If a function has no ABI, its arguments are entered as raw words.
 */
import { Fragment, type ReactNode, useState } from "react";
import type { AbiFunction } from "viem";
import { useConnection } from "wagmi";
import { ReadForm, ReadResult } from "@/components/address/ContractRead";
import { WriteForm } from "@/components/address/ContractWrite";
import {
  type ContractFunction,
  isGetter,
  isReading,
  type KnownFunction,
  listFunctions,
  listFurtherFunctions,
  sortFunctions,
  toParameterText,
  toTypeText,
} from "@/components/address/contractFunctions";
import { AddressLink } from "@/components/atoms/AddressLink";
import { Icon } from "@/components/atoms/Icon";
import { Empty } from "@/components/layout/Empty";
import { useNetwork } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { useToken } from "@/components/token/useToken";
import { PastedAbis } from "@/components/trace/PastedAbisButton";
import { usePastedAbis } from "@/components/trace/pastedAbis";
import { WalletProvider } from "@/components/wallet/WalletProvider";
import { openWalletDialog } from "@/components/wallet/walletUse";
import { type AmountUnit, etherUnits } from "@/lib/decode/amountText";
import type { PageNetwork } from "@/lib/networks";

type Props = {
  address: `0x${string}`;
  /** The functions found in the code. Some are named, based on the interfaces built into this node. */
  functions: ContractFunction[];
  networks: readonly [PageNetwork, ...PageNetwork[]];
};

/**
 * Returns the functions found in the code, named from pasted ABIs if possible, and those that only the pasted ABIs
 * have. The result is sorted.
 */
function useFunctions(functions: ContractFunction[]): ContractFunction[] {
  const pasted = usePastedAbis();
  const selectors = functions.map(({ selector }) => selector);
  const own = listFunctions(selectors, pasted);
  const named = functions.map((each, at) => (own[at]!.kind === "known" ? own[at]! : each));
  return sortFunctions([...named, ...listFurtherFunctions(selectors, pasted)]);
}

/** The units accepted for amounts in a contract's forms. The contract's own token comes first. */
function useUnits(address: `0x${string}`): { units: AmountUnit[]; own: AmountUnit | undefined } {
  const { tokens, nativeCurrency } = useNetwork();
  const { symbol, decimals } = useToken(address);
  const own: AmountUnit | undefined = symbol === undefined ? undefined : { symbol, decimals, isOwn: true };
  return { own, units: [...(own ? [own] : []), ...tokens, nativeCurrency, ...etherUnits] };
}

export function ContractForms({ address, functions, networks }: Props) {
  const all = useFunctions(functions);
  const { own, units } = useUnits(address);
  const reading = all.filter((each): each is KnownFunction => each.kind === "known" && isReading(each.abi));
  const getters = reading.filter(({ abi }) => isGetter(abi));
  const queries = reading.filter(({ abi }) => !isGetter(abi));
  const writing = all.filter((each) => each.kind === "unknown" || !isReading(each.abi));
  const hasUnnamed = writing.some(({ kind }) => kind === "unknown");
  return (
    <WalletProvider networks={networks}>
      <Sections counts={{ Values: getters.length, Read: queries.length, Write: writing.length }} />
      {getters.length > 0 && (
        <Sheet id="values" title="Values">
          <div className="sm:grid sm:grid-cols-[fit-content(60%)_minmax(0,1fr)]">
            {getters.map((each) => (
              <Getter key={each.selector} address={address} called={each} unit={own} />
            ))}
          </div>
        </Sheet>
      )}
      {(queries.length > 0 || getters.length === 0) && (
        <Sheet id="read" title="Read">
          {queries.length === 0 && <Empty title="No view functions found. Add an ABI to call this contract." />}
          {queries.map((each) => (
            <Fold key={each.selector} called={each}>
              <ReadForm address={address} abi={each.abi} units={units} unit={own} />
            </Fold>
          ))}
        </Sheet>
      )}
      <Sheet id="write" title="Write" aside={writing.length > 0 && <Sender />}>
        {writing.length === 0 && <Empty title="No other functions found. Add an ABI to call this contract." />}
        {hasUnnamed && (
          <p className="border-line border-b px-4 py-2 text-13 text-ink-2">
            The bytecode has functions whose names are unknown. Add an ABI to name them.
          </p>
        )}
        {writing.map((each) => (
          <Fold key={each.selector} called={each}>
            <WriteForm address={address} called={each} units={units} />
          </Fold>
        ))}
      </Sheet>
    </WalletProvider>
  );
}

/** Links to the sections, because the last one can start far below. An added ABI names functions in all of them. */
function Sections({ counts }: { counts: Record<string, number> }) {
  return (
    <div className="-my-1 flex items-center justify-between gap-4">
      <nav aria-label="Functions" className="flex flex-wrap gap-x-5 text-14">
        {Object.entries(counts).map(
          ([title, count]) =>
            count > 0 && (
              <a
                key={title}
                href={`#${title.toLowerCase()}`}
                className="flex min-h-8 items-center gap-x-1.5 text-accent"
              >
                {title} <span className="text-12 text-ink-3">{count}</span>
              </a>
            ),
        )}
      </nav>
      <PastedAbis />
    </div>
  );
}

/** Which account a call is sent from, or a button that connects one. */
function Sender() {
  const { address, status } = useConnection();
  return (
    // On phones, the button is on the title's line.
    <span className="flex flex-wrap items-center gap-x-3 gap-y-2 text-13 text-ink-2 max-sm:contents">
      {status === "connected" ? (
        <span className="flex items-center gap-x-1">
          Sent from <AddressLink address={address} />
        </span>
      ) : (
        <>
          <span className="max-sm:order-1 max-sm:basis-full">Each call is simulated before it is sent.</span>
          <button type="button" className="button" onClick={openWalletDialog}>
            Connect wallet
          </button>
        </>
      )}
    </span>
  );
}

/** Shows the function that the URL's fragment names by its selector. The browser looked for it before it was rendered. */
function showTarget(element: HTMLElement | null) {
  if (!element || location.hash !== `#${element.id}`) return;
  if (element instanceof HTMLDetailsElement) element.open = true;
  element.scrollIntoView({ block: "center" });
}

/** A function without arguments, with its result. */
function Getter({
  address,
  called,
  unit,
}: {
  address: `0x${string}`;
  called: KnownFunction;
  unit: AmountUnit | undefined;
}) {
  return (
    <div
      ref={showTarget}
      id={called.selector}
      className="reveals col-span-full grid items-baseline gap-x-8 border-line border-b px-4 py-2 last:border-b-0 sm:grid-cols-subgrid max-sm:[&_[data-returns]]:hidden"
    >
      <TypedName called={called} />
      <ReadResult address={address} abi={called.abi} unit={unit} />
    </div>
  );
}

/** A function's form. It is rendered when first opened, because the forms of a whole contract would delay the page. */
function Fold({ called, children }: { called: ContractFunction; children: ReactNode }) {
  const [isNeeded, setNeeded] = useState(false);
  return (
    <details
      ref={showTarget}
      id={called.selector}
      className="border-line border-b last:border-b-0"
      onToggle={() => setNeeded(true)}
    >
      <summary className="flex cursor-pointer items-start gap-x-3 px-4 py-2">
        <span className="min-w-0 flex-1">
          <TypedName called={called} />
        </span>
        <code className="mono text-ink-3 max-[84rem]:hidden">{called.selector}</code>
        <Icon name="down" className="mt-0.5 text-ink-3 in-open:rotate-180" />
      </summary>
      {isNeeded && children}
    </details>
  );
}

/** "transfer(address to, uint256 value) → bool" */
function TypedName({ called }: { called: ContractFunction }) {
  if (called.kind === "unknown") {
    return (
      <code className="mono" title="No known ABI has this selector">
        {called.selector}
        <span className="text-ink-3"> unknown function</span>
      </code>
    );
  }
  const { name, inputs, outputs, stateMutability }: AbiFunction = called.abi;
  return (
    <code
      className="mono block break-words pl-4 -indent-4"
      title={`Selector ${called.selector}, function name from the ${called.source} ABI`}
    >
      <span className="font-semibold">{name}</span>
      <span className="text-ink-2">
        ({/* On phones, only names are shown. The form has the types. */}
        {inputs.map((input, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: parameters have no other identity
          <Fragment key={at}>
            {at > 0 && ", "}
            <span className={input.name ? "max-sm:hidden" : ""}>
              {toTypeText(input)}
              {input.name && " "}
            </span>
            {input.name}
          </Fragment>
        ))}
        )
      </span>
      {stateMutability === "payable" && <span className="text-ink-3"> payable</span>}
      {outputs.length > 0 && " "}
      {outputs.length > 0 && (
        <span data-returns className="inline-block max-w-full indent-0 text-ink-3">
          <span className="sr-only">returns </span>
          <Icon name="arrow" className="mr-2 inline-block align-[-0.1875rem]" />
          {toParameterText(outputs)}
        </span>
      )}
    </code>
  );
}
