/**
 * A form for changing a payment's fields and sending the payment again. Unchanged fields keep the values that the
 * seller requires. The form works only on this node's own chains, because a changed amount would cost real money
 * elsewhere.
 */
"use client";

import { type FormEvent, useState } from "react";
import { Icon } from "@/components/atoms/Icon";
import { TextField } from "@/components/atoms/TextField";
import { AppLink } from "@/components/layout/AppLink";
import { useNetwork } from "@/components/layout/NetworkContext";
import { toPlaygroundPath } from "@/lib/links";
import type { PaymentEdits } from "@/lib/payflow/tamper";
import { formatUnits, parseUnits } from "@/lib/units";
import { findSignedPayment, findTransferMethod } from "@/lib/x402/signedPayment";
import { findChainId } from "@/lib/x402/signPayment";
import type { Hex, PaymentPayload, PaymentRequirements } from "@/lib/x402/types";

type Field = { name: string; label: string; usual?: string; placeholder?: string; pattern: string; hint: string };

const wholeNumber = "\\d{1,9}";

function toFields(requirement: PaymentRequirements, decimals: number): Field[] {
  const { amount, payTo, network, maxTimeoutSeconds, extra } = requirement;
  const isPermit = findTransferMethod(requirement) === "permit2";
  const { name, version } = (extra ?? {}) as { name?: string; version?: string };
  return [
    {
      name: "amount",
      label: "Amount",
      usual: formatUnits(BigInt(amount), decimals),
      pattern: `\\d{1,20}(\\.\\d{1,${decimals}})?`,
      hint: `a number with at most ${decimals} decimals`,
    },
    { name: "payee", label: "Payee", usual: payTo, pattern: "0x[0-9a-fA-F]{40}", hint: "0x and 40 hex characters" },
    {
      name: "nonce",
      label: "Nonce",
      placeholder: "random",
      pattern: "0x[0-9a-fA-F]{64}",
      hint: "0x and 64 hex characters",
    },
    {
      name: "validIn",
      label: "Valid in (seconds)",
      placeholder: "immediately",
      pattern: wholeNumber,
      hint: "whole seconds",
    },
    {
      name: "expiresIn",
      label: "Expires in (seconds)",
      usual: String(maxTimeoutSeconds),
      pattern: `-?${wholeNumber}`,
      hint: "whole seconds; negative means in the past",
    },
    {
      name: "domainName",
      label: "Domain name",
      usual: isPermit ? "Permit2" : (name ?? ""),
      pattern: ".{1,64}",
      hint: "at most 64 characters",
    },
    ...(isPermit
      ? []
      : [
          {
            name: "domainVersion",
            label: "Domain version",
            usual: version ?? "",
            pattern: ".{1,16}",
            hint: "at most 16 characters",
          },
        ]),
    {
      name: "chainId",
      label: "Domain chain ID",
      usual: String(findChainId(network) ?? ""),
      pattern: wholeNumber,
      hint: "a whole number",
    },
    {
      name: "signature",
      label: "Signature",
      placeholder: "from your wallet",
      pattern: "0x([0-9a-fA-F]{2}){1,1024}",
      hint: "hex bytes after 0x",
    },
  ];
}

function toEdits(changed: Record<string, string>, decimals: number): PaymentEdits {
  const { amount, payee, nonce, validIn, expiresIn, domainName, domainVersion, chainId, signature } = changed;
  return {
    ...(amount && { amount: parseUnits(amount, decimals).toString() }),
    ...(payee && { payee: payee.toLowerCase() as Hex }),
    ...(nonce && { nonce: nonce as Hex }),
    ...(validIn && { validInSeconds: Number(validIn) }),
    ...(expiresIn && { expiresInSeconds: Number(expiresIn) }),
    ...(domainName && { domainName }),
    ...(domainVersion && { domainVersion }),
    ...(chainId && { chainId: Number(chainId) }),
    ...(signature && { signature: signature as Hex }),
  };
}

export function PaymentEditor({
  payment,
  isPending,
  onSend,
}: {
  /** The last payment that was sent. */
  payment: PaymentPayload;
  isPending: boolean;
  onSend: (edits: PaymentEdits) => void;
}) {
  const network = useNetwork();
  const [nonce, setNonce] = useState("");
  const requirement = payment.accepted;
  const lastNonce = findSignedPayment(payment.payload)?.nonce;
  const token = network.tokens.find(({ address }) => address.toLowerCase() === requirement.asset.toLowerCase());
  const decimals = token?.decimals ?? 6;
  const fields = toFields(requirement, decimals);

  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const changed = Object.fromEntries(
      fields
        .map(({ name, usual }) => [name, String(form.get(name) ?? "").trim(), usual] as const)
        .filter(([, value, usual]) => value !== "" && value !== usual)
        .map(([name, value]) => [name, value]),
    );
    if (!isPending) onSend(toEdits(changed, decimals));
  }

  return (
    <details className="group sheet play-edit">
      <summary>
        Change a field and send again
        <Icon name="down" className="text-ink-3 group-open:rotate-180" />
      </summary>
      <form onSubmit={send}>
        {fields.map(({ name, label, usual, placeholder, pattern, hint }) => (
          <TextField
            key={name}
            label={name === "amount" && token ? `${label}, ${token.symbol}` : label}
            name={name}
            placeholder={placeholder ?? usual}
            pattern={pattern}
            title={hint}
            {...(name === "nonce"
              ? { value: nonce, onChange: (event) => setNonce(event.target.value) }
              : { defaultValue: usual })}
          />
        ))}
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <button type="submit" className="button button-primary" aria-disabled={isPending}>
            Sign and send
          </button>
          {lastNonce && (
            <button type="button" className="button" onClick={() => setNonce(lastNonce)}>
              Reuse the last nonce
            </button>
          )}
          <AppLink href={toPlaygroundPath(network.name, "failures")} className="text-13 text-accent">
            More ways to fail
          </AppLink>
        </div>
      </form>
    </details>
  );
}
