"use client";
/** Tools that set an account's balance, nonce, code and storage, and that impersonate accounts. */
import { type ComponentProps, type FormEvent, useState } from "react";
import { AddressLink } from "@/components/atoms/AddressLink";
import { TextField } from "@/components/atoms/TextField";
import { useNetworkContext } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { ToolRow } from "@/components/tools/ToolRow";
import type { Tool, ToolCall } from "@/components/tools/useTool";
import { addressHint, isAddress, toChecksumAddress, toShortHex } from "@/lib/address";
import { parseUnits, toQuantity } from "@/lib/units";

type Field = { name: string; label: string; placeholder?: string };

/** All buttons of the account's rows are equally wide, so that the fields beside them are too. */
const buttonClass = "button min-w-27 justify-center";

type Fault = { row: string; message: string };

export function AccountTools({ impersonated, tool }: { impersonated: string[]; tool: Tool }) {
  const { network } = useNetworkContext();
  const { nativeCurrency } = network;
  const [address, setAddress] = useState("");
  const [fault, setFault] = useState<Fault | undefined>(undefined);

  /** Runs a row's call. All rows share the address field above them. */
  function run(row: string, toCall: () => ToolCall) {
    if (!isAddress(address)) return setFault({ row: "address", message: addressHint });
    try {
      const call = toCall();
      setFault(undefined);
      void tool.run(row, call);
    } catch (error) {
      setFault({ row, message: error instanceof Error ? error.message : String(error) });
    }
  }
  const toRow = (row: string) => ({ id: row, tool, fault: fault?.row === row ? fault.message : undefined });
  const isReady = isAddress(address);
  const toFolding = (row: string) => ({ ...toRow(row), folds: true, isReady });

  return (
    <Sheet id="account" title="Account state">
      <ToolRow
        {...toRow("address")}
        title="Account"
        about="Enter an address or choose an account first: the tools below change it."
      >
        <AddressField address={address} onChange={setAddress} />
      </ToolRow>
      <FormRow
        {...toFolding("balance")}
        title="Balance"
        about={`Sets how much ${nativeCurrency.symbol} the account has.`}
        action="Set balance"
        fields={[{ name: "balance", label: `Balance in ${nativeCurrency.symbol}`, placeholder: "100" }]}
        onSubmit={({ balance = "" }) =>
          run("balance", () => ({
            method: "anvil_setBalance",
            params: [address, toQuantity(parseUnits(balance, nativeCurrency.decimals))],
          }))
        }
      />
      <ToolRow
        {...toRow("impersonate")}
        folds={impersonated.length === 0}
        isReady={isReady}
        title="Impersonation"
        about={
          <>
            Lets <code className="mono">eth_sendTransaction</code> send from the account without its private key.
          </>
        }
      >
        <div className="flex flex-wrap gap-2">
          <button
            type="button"
            className={buttonClass}
            aria-disabled={!isReady}
            onClick={() => run("impersonate", () => ({ method: "anvil_impersonateAccount", params: [address] }))}
          >
            Impersonate
          </button>
        </div>
        <Impersonated accounts={impersonated} tool={tool} />
      </ToolRow>
      <FormRow
        {...toFolding("nonce")}
        title="Nonce"
        about="Sets the nonce of the account’s next transaction."
        action="Set nonce"
        fields={[{ name: "nonce", label: "Next nonce", placeholder: "0" }]}
        onSubmit={({ nonce = "" }) =>
          run("nonce", () => ({ method: "anvil_setNonce", params: [address, readNumber("nonce", nonce)] }))
        }
      />
      <FormRow
        {...toFolding("code")}
        title="Code"
        about="Replaces the account’s bytecode. Empty code makes it an ordinary account."
        action="Set code"
        fields={[{ name: "code", label: "Bytecode", placeholder: "0x" }]}
        onSubmit={({ code }) => run("code", () => ({ method: "anvil_setCode", params: [address, code || "0x"] }))}
      />
      <FormRow
        {...toFolding("slot")}
        title="Storage"
        about="Writes a 32-byte value to one of the contract’s storage slots."
        action="Set slot"
        fields={[
          { name: "slot", label: "Slot", placeholder: "0x0" },
          { name: "value", label: "Value", placeholder: "0x" },
        ]}
        onSubmit={({ slot, value }) =>
          run("slot", () => ({ method: "anvil_setStorageAt", params: [address, slot, value] }))
        }
      />
    </Sheet>
  );
}

/** The menu offers the addresses that have names. */
function AddressField({ address, onChange }: { address: string; onChange: (address: string) => void }) {
  const { names } = useNetworkContext();
  const accounts = [...names.values()].filter(({ kind }) => kind === "account" || kind === "label");
  const chosen = accounts.find((each) => each.address.toLowerCase() === address.toLowerCase());
  return (
    <div className="filter-row border-b-0! p-0!">
      <TextField
        label="Address"
        className="max-w-xl"
        name="address"
        placeholder="0x"
        value={address}
        onChange={(event) => onChange(event.target.value.trim())}
      />
      {accounts.length > 0 && (
        <span className="flex items-center gap-2 text-13 text-ink-2 max-sm:w-full">
          or
          <select
            aria-label="Account"
            className="field w-40 max-sm:flex-1"
            value={chosen?.address ?? ""}
            onChange={(event) => onChange(event.target.value && toChecksumAddress(event.target.value))}
          >
            <option value="">Choose an account</option>
            {accounts.map(({ address, name }) => (
              <option key={address} value={address}>
                {name}
              </option>
            ))}
          </select>
        </span>
      )}
    </div>
  );
}

function Impersonated({ accounts, tool }: { accounts: string[]; tool: Tool }) {
  if (accounts.length === 0) return null;
  const stop = (account: string) =>
    tool.run("impersonate", { method: "anvil_stopImpersonatingAccount", params: [account] });
  return (
    <ul className="text-13">
      {accounts.map((account) => (
        <li key={account} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-1">
          <AddressLink address={account} />
          <button type="button" className="button" onClick={() => stop(account)}>
            Stop for {toShortHex(account)}
          </button>
        </li>
      ))}
    </ul>
  );
}

function readNumber(name: string, text: string): string {
  if (!/^\d+$/.test(text)) throw new Error(`${name} must be a number.`);
  return toQuantity(BigInt(text));
}

function FormRow({
  fields,
  action,
  onSubmit,
  ...row
}: Omit<ComponentProps<typeof ToolRow>, "children"> & {
  fields: Field[];
  action: string;
  onSubmit: (values: Record<string, string>) => void;
}) {
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const entries = [...new FormData(event.currentTarget)];
    onSubmit(Object.fromEntries(entries.map(([name, value]) => [name, String(value).trim()])));
  }
  return (
    <ToolRow {...row}>
      <form className="filter-row border-b-0! p-0!" onSubmit={submit}>
        {fields.map(({ name, label, placeholder }) => (
          <TextField
            key={name}
            label={label}
            name={name}
            placeholder={row.isReady ? placeholder : undefined}
            disabled={!row.isReady}
            className="max-w-xl basis-20!"
          />
        ))}
        <button type="submit" className={buttonClass} aria-disabled={!row.isReady}>
          {action}
        </button>
      </form>
    </ToolRow>
  );
}
