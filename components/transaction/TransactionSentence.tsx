"use client";
/** Summarizes a transaction in one sentence: what somebody did, tried to do, or is about to do. */
import type { ReactNode } from "react";
import { AddressLink } from "@/components/atoms/AddressLink";
import { ExactNativeAmount, TokenAmount } from "@/components/atoms/Amount";
import type { Summary } from "@/lib/decode/summary";

export type Tense = "did" | "tried" | "will";

export function TransactionSentence({ sender, summary, tense }: { sender: string; summary: Summary; tense: Tense }) {
  return <p className="sentence">{toSentence(<AddressLink address={sender} />, summary, tense)}</p>;
}

function toSentence(from: ReactNode, summary: Summary, tense: Tense): ReactNode {
  switch (summary.kind) {
    case "payment":
      return <PaymentSentence relayer={from} summary={summary} tense={tense} />;
    case "payments":
      return (
        <>
          {from} settled {summary.count} payments at once.
        </>
      );
    case "tokenTransfer": {
      const amount = <TokenAmount units={summary.amount} token={summary.token} />;
      return <Sent from={<AddressLink address={summary.from} />} what={amount} to={summary.to} tense={tense} />;
    }
    case "transfer":
      return <Sent from={from} what={<ExactNativeAmount wei={summary.valueWei} />} to={summary.to} tense={tense} />;
    case "approval": {
      const verb = { did: "allowed", tried: "tried to allow", will: "is allowing" }[tense];
      return (
        <>
          {from} {verb} <AddressLink address={summary.spender} /> to spend{" "}
          <Strong>
            <TokenAmount units={summary.amount} token={summary.token} />
          </Strong>
          .
        </>
      );
    }
    case "create":
      return <CreationSentence from={from} contract={summary.contract} tense={tense} />;
    case "data": {
      const { text, to, valueWei } = summary;
      const value = valueWei > 0n && (
        <>
          <Strong>
            <ExactNativeAmount wei={valueWei} />
          </Strong>{" "}
          and{" "}
        </>
      );
      return <Sent from={from} besides={value} what={text} to={to} isContract tense={tense} />;
    }
    case "call":
      return <CallSentence from={from} summary={summary} tense={tense} />;
  }
}

type SentProps = {
  from: ReactNode;
  /** What was sent first, and the word after it. */
  besides?: ReactNode;
  what: ReactNode;
  to: string;
  isContract?: boolean;
  tense: Tense;
};

function Sent({ from, besides, what, to, isContract = false, tense }: SentProps) {
  const verb = { did: "sent", tried: "tried to send", will: "is sending" }[tense];
  return (
    <>
      {from} {verb} {besides}
      <Strong>{what}</Strong> to{" "}
      <Last>
        <AddressLink contract={isContract} address={to} />
      </Last>
    </>
  );
}

type PaymentProps = { relayer: ReactNode; summary: Extract<Summary, { kind: "payment" }>; tense: Tense };

function PaymentSentence({ relayer, summary, tense }: PaymentProps) {
  const payer = <AddressLink address={summary.payer} />;
  const payee = <AddressLink address={summary.payee} />;
  const amount = (
    <Strong>
      <TokenAmount units={summary.amount} token={summary.token} />
    </Strong>
  );
  return tense === "did" ? (
    <>
      {payer} paid {amount} to <Last>{payee}</Last> {relayer} sent the transaction and paid the gas.
    </>
  ) : (
    <>
      {relayer} {tense === "tried" ? "tried to settle" : "is settling"} a payment of {amount} from {payer} to{" "}
      <Last>{payee}</Last>
    </>
  );
}

type CreationProps = { from: ReactNode; contract: `0x${string}` | undefined; tense: Tense };

/** If the receipt has no contract address, the creation is described as failed. */
function CreationSentence({ from, contract, tense }: CreationProps) {
  if (tense === "will") return <>{from} is creating a contract.</>;
  if (tense === "tried" || contract === undefined) return <>{from} tried to create a contract.</>;
  return (
    <>
      {from} created the contract{" "}
      <Last>
        <AddressLink contract address={contract} />
      </Last>
    </>
  );
}

type CallProps = { from: ReactNode; summary: Extract<Summary, { kind: "call" }>; tense: Tense };

function CallSentence({ from, summary: { to, name, valueWei }, tense }: CallProps) {
  const verb = { did: "called", tried: "tried to call", will: "is calling" }[tense];
  return (
    <>
      {from} {verb} <CalledName name={name} /> on{" "}
      {valueWei === 0n ? (
        <Last>
          <AddressLink contract address={to} />
        </Last>
      ) : (
        <>
          <AddressLink contract address={to} /> with{" "}
          <Last>
            <Strong>
              <ExactNativeAmount wei={valueWei} />
            </Strong>
          </Last>
        </>
      )}
    </>
  );
}

/** A function's name can't start with a digit, so "0x…" is an unknown function's selector. */
function CalledName({ name }: { name: string }) {
  return name.startsWith("0x") ? (
    <>
      an unknown function (<Strong>{name}</Strong>)
    </>
  ) : (
    <Strong>{name}</Strong>
  );
}

/** Ends a sentence. A line can break after an inline box, so the period is kept on the box's line. */
function Last({ children }: { children: ReactNode }) {
  return <span className="whitespace-nowrap">{children}.</span>;
}

/** A unit is regular, as everywhere. */
function Strong({ children }: { children: ReactNode }) {
  return <strong className="font-semibold [&_.text-ink-3]:font-normal">{children}</strong>;
}
