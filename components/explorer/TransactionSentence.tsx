"use client";
/**
 * The first thing a transaction's page says: in plain words, who did what, or tried to, or is about to.
 */
import type { ReactNode } from "react";
import { AddressLink } from "@/components/chain/AddressLink";
import { NativeAmount, TokenAmount } from "@/components/chain/Amount";
import { Text } from "@/components/chain/Text";
import type { Summary } from "@/lib/decode/summary";
import { transactionMessages as messages } from "@/lib/messages/enTransaction";

export type Tense = "did" | "tried" | "will";

export function TransactionSentence({ sender, summary, tense }: { sender: string; summary: Summary; tense: Tense }) {
  return <p className="sentence">{toSentence(sender, summary, tense)}</p>;
}

function toSentence(sender: string, summary: Summary, tense: Tense) {
  const from = <AddressLink address={sender} />;
  switch (summary.kind) {
    case "payment":
      return (
        <Text
          text={messages[`sentence.payment.${tense}`]}
          values={{
            payer: <AddressLink address={summary.payer} />,
            payee: <AddressLink address={summary.payee} />,
            amount: (
              <Strong>
                <TokenAmount units={summary.amount} token={summary.token} />
              </Strong>
            ),
            relayer: from,
          }}
        />
      );
    case "payments":
      return <Text text={messages["sentence.payments"]} values={{ count: summary.count, relayer: from }} />;
    case "tokenTransfer":
      return (
        <Text
          text={messages[`sentence.send.${tense}`]}
          values={{
            from: <AddressLink address={summary.from} />,
            to: <AddressLink address={summary.to} />,
            amount: (
              <Strong>
                <TokenAmount units={summary.amount} token={summary.token} />
              </Strong>
            ),
          }}
        />
      );
    case "transfer":
      return (
        <Text
          text={messages[`sentence.send.${tense}`]}
          values={{
            from,
            to: <AddressLink address={summary.to} />,
            amount: (
              <Strong>
                <NativeAmount wei={summary.valueWei} digits={18} />
              </Strong>
            ),
          }}
        />
      );
    case "approval":
      return (
        <Text
          text={messages[`sentence.approval.${tense}`]}
          values={{
            from,
            spender: <AddressLink address={summary.spender} />,
            amount: (
              <Strong>
                <TokenAmount units={summary.amount} token={summary.token} />
              </Strong>
            ),
          }}
        />
      );
    case "create":
      return summary.contract === undefined || tense !== "did" ? (
        <Text text={messages[`sentence.create.${tense === "did" ? "tried" : tense}`]} values={{ from }} />
      ) : (
        <Text
          text={messages["sentence.create.did"]}
          values={{ from, contract: <AddressLink contract address={summary.contract} /> }}
        />
      );
    case "call":
      return (
        <Text
          text={messages[`sentence.call.${tense}`]}
          values={{ from, to: <AddressLink contract address={summary.to} />, name: <Strong>{summary.name}</Strong> }}
        />
      );
  }
}

function Strong({ children }: { children: ReactNode }) {
  return <strong className="font-semibold">{children}</strong>;
}
