"use client";
/** Sets an account's balance, nonce, code and storage, and impersonates accounts. */
import { type FormEvent, type ReactNode, useState } from "react";
import { AddressLink } from "@/components/atoms/AddressLink";
import { TextField } from "@/components/atoms/TextField";
import { AppLink } from "@/components/layout/AppLink";
import { useNetwork } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import type { Tool, ToolCall } from "@/components/tools/useTool";
import { addressHint, isAddress, toShortHex } from "@/lib/address";
import { toSectionPath } from "@/lib/links";
import { parseUnits, toQuantity } from "@/lib/units";

type Field = { name: string; label: string; placeholder?: string };

export function AccountTools({ impersonated, tool }: { impersonated: string[]; tool: Tool }) {
  const { name: networkName, nativeCurrency } = useNetwork();
  const [address, setAddress] = useState("");
  const [fault, setFault] = useState<string | undefined>(undefined);

  /** A form for one method. All forms share the address field above them. */
  function submit(toCall: (form: FormData) => ToolCall) {
    return (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault();
      if (!isAddress(address)) return setFault(addressHint);
      try {
        const call = toCall(new FormData(event.currentTarget));
        setFault(undefined);
        void tool.run(call);
      } catch (error) {
        setFault(error instanceof Error ? error.message : String(error));
      }
    };
  }
  const read = (form: FormData, name: string) => String(form.get(name) ?? "").trim();
  const readNumber = (form: FormData, name: string) => {
    if (!/^\d+$/.test(read(form, name))) throw new Error(`${name} must be a number.`);
    return toQuantity(BigInt(read(form, name)));
  };
  const readBalance = (form: FormData) => toQuantity(parseUnits(read(form, "balance"), nativeCurrency.decimals));

  return (
    <Sheet
      id="account"
      title="Account state"
      aside={
        <AppLink href={toSectionPath(networkName, "accounts")} className="app-link text-13 text-ink-2">
          Test accounts and faucet
        </AppLink>
      }
    >
      <div className="filter-row">
        <TextField
          label="Address"
          name="address"
          placeholder="0x"
          value={address}
          onChange={(event) => setAddress(event.target.value.trim())}
        />
        <button
          type="button"
          className="button"
          onClick={() =>
            isAddress(address)
              ? tool.run({ method: "anvil_impersonateAccount", params: [address] })
              : setFault(addressHint)
          }
        >
          Impersonate
        </button>
      </div>
      <p role="status" className={fault === undefined ? "sr-only" : "border-line border-b px-4 py-2 text-13 text-neg"}>
        {fault}
      </p>
      <div className="grid lg:grid-cols-2">
        <OneForm
          action="Set balance"
          fields={[{ name: "balance", label: `Balance in ${nativeCurrency.symbol}`, placeholder: "100" }]}
          onSubmit={submit((form) => ({ method: "anvil_setBalance", params: [address, readBalance(form)] }))}
        />
        <OneForm
          action="Set nonce"
          fields={[{ name: "nonce", label: "Nonce", placeholder: "0" }]}
          onSubmit={submit((form) => ({ method: "anvil_setNonce", params: [address, readNumber(form, "nonce")] }))}
        />
        <OneForm
          action="Set code"
          fields={[{ name: "code", label: "Code", placeholder: "0x" }]}
          onSubmit={submit((form) => ({ method: "anvil_setCode", params: [address, read(form, "code") || "0x"] }))}
        />
        <OneForm
          action="Set slot"
          fields={[
            { name: "slot", label: "Slot", placeholder: "0x0" },
            { name: "value", label: "Value", placeholder: "0x" },
          ]}
          onSubmit={submit((form) => ({
            method: "anvil_setStorageAt",
            params: [address, read(form, "slot"), read(form, "value")],
          }))}
        />
      </div>
      {impersonated.length > 0 && (
        <ul className="border-line border-t px-4 py-2 text-13">
          {impersonated.map((account) => (
            <li key={account} className="flex flex-wrap items-center justify-between gap-2 py-1">
              <AddressLink address={account} />
              <button
                type="button"
                className="button"
                onClick={() => tool.run({ method: "anvil_stopImpersonatingAccount", params: [account] })}
              >
                Stop for {toShortHex(account)}
              </button>
            </li>
          ))}
        </ul>
      )}
    </Sheet>
  );
}

function OneForm({
  fields,
  action,
  onSubmit,
}: {
  fields: Field[];
  action: ReactNode;
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
}) {
  return (
    <form className="filter-row border-b-0!" onSubmit={onSubmit}>
      {fields.map(({ name, label, placeholder }) => (
        <TextField key={name} label={label} name={name} placeholder={placeholder} className="basis-28!" />
      ))}
      <button type="submit" className="button">
        {action}
      </button>
    </form>
  );
}
