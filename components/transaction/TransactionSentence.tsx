"use client";
/** A transaction's summary in plain words: who did what, tried to, or is about to. */
import type { ReactNode } from "react";
import { AddressLink } from "@/components/atoms/AddressLink";
import { NativeAmount, TokenAmount } from "@/components/atoms/Amount";
import type { Summary } from "@/lib/decode/summary";
import { plural } from "@/lib/plural";

export type Tense = "did" | "tried" | "will";
type Sentence = Record<Tense, ReactNode>;

export function TransactionSentence({ sender, summary, tense }: { sender: string; summary: Summary; tense: Tense }) {
  return <p className="sentence">{toSentence(<AddressLink address={sender} />, summary)[tense]}</p>;
}

function toSentence(from: ReactNode, summary: Summary): Sentence {
  switch (summary.kind) {
    case "payment":
      return toPaymentSentence(from, summary);
    case "payments": {
      const sentence = (
        <>
          {from} settled {summary.count} payments at once.
        </>
      );
      return { did: sentence, tried: sentence, will: sentence };
    }
    case "tokenTransfer": {
      const amount = <TokenAmount units={summary.amount} token={summary.token} />;
      return toTransferSentence(<AddressLink address={summary.from} />, <AddressLink address={summary.to} />, amount);
    }
    case "transfer": {
      const amount = <NativeAmount wei={summary.valueWei} digits={18} />;
      return toTransferSentence(from, <AddressLink address={summary.to} />, amount);
    }
    case "approval":
      return toApprovalSentence(from, summary);
    case "create":
      return toCreationSentence(from, summary.contract);
    case "call":
      return toCallSentence(from, summary);
  }
}

function toPaymentSentence(relayer: ReactNode, summary: Extract<Summary, { kind: "payment" }>): Sentence {
  const payer = <AddressLink address={summary.payer} />;
  const payee = <AddressLink address={summary.payee} />;
  const amount = (
    <Strong>
      <TokenAmount units={summary.amount} token={summary.token} />
    </Strong>
  );
  return {
    did: (
      <>
        {payer} paid {amount} to {payee}; relayed by facilitator {relayer}, which paid the gas.
      </>
    ),
    tried: (
      <>
        {relayer} tried to settle a payment of {amount} from {payer} to {payee}, but it failed.
      </>
    ),
    will: (
      <>
        {relayer} is settling a payment of {amount} from {payer} to {payee}.
      </>
    ),
  };
}

function toTransferSentence(from: ReactNode, to: ReactNode, value: ReactNode): Sentence {
  const amount = <Strong>{value}</Strong>;
  return {
    did: (
      <>
        {from} sent {amount} to {to}.
      </>
    ),
    tried: (
      <>
        {from} tried to send {amount} to {to}, but it failed.
      </>
    ),
    will: (
      <>
        {from} is sending {amount} to {to}.
      </>
    ),
  };
}

function toApprovalSentence(from: ReactNode, summary: Extract<Summary, { kind: "approval" }>): Sentence {
  const spender = <AddressLink address={summary.spender} />;
  const amount = (
    <Strong>
      <TokenAmount units={summary.amount} token={summary.token} />
    </Strong>
  );
  return {
    did: (
      <>
        {from} allowed {spender} to spend {amount}.
      </>
    ),
    tried: (
      <>
        {from} tried to allow {spender} to spend {amount}, but it failed.
      </>
    ),
    will: (
      <>
        {from} is allowing {spender} to spend {amount}.
      </>
    ),
  };
}

/** A receipt without a contract address has nothing to link to: the creation is described as failed. */
function toCreationSentence(from: ReactNode, contract: `0x${string}` | undefined): Sentence {
  const tried = <>{from} tried to create a contract, but it failed.</>;
  return {
    did:
      contract === undefined ? (
        tried
      ) : (
        <>
          {from} created the contract <AddressLink contract address={contract} />.
        </>
      ),
    tried,
    will: <>{from} is creating a contract.</>,
  };
}

function toCallSentence(from: ReactNode, { to: address, name }: Extract<Summary, { kind: "call" }>): Sentence {
  const to = <AddressLink contract address={address} />;
  // Fewer than four bytes name no function.
  if (/^0x.{0,7}$/.test(name)) {
    const bytes = Math.ceil((name.length - 2) / 2);
    return toTransferSentence(from, to, `${bytes} ${plural(bytes, "byte")} of data`);
  }
  const called = <CalledName name={name} />;
  return {
    did: (
      <>
        {from} called {called} on {to}.
      </>
    ),
    tried: (
      <>
        Call to {called} on {to} reverted.
      </>
    ),
    will: (
      <>
        {from} is calling {called} on {to}.
      </>
    ),
  };
}

/** A function's name cannot start with a digit: such a text is an unknown function's selector. */
function CalledName({ name }: { name: string }) {
  return name.startsWith("0x") ? (
    <>
      an unknown function (<Strong>{name}</Strong>)
    </>
  ) : (
    <Strong>{name}</Strong>
  );
}

function Strong({ children }: { children: ReactNode }) {
  return <strong className="font-semibold">{children}</strong>;
}
