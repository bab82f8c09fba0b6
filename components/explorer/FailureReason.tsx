"use client";
/**
 * Why a mined transaction failed, from its own trace: the contract's words where it gave any.
 */
import { useQuery } from "@tanstack/react-query";
import { AddressLink } from "@/components/chain/AddressLink";
import { TokenAmount } from "@/components/chain/Amount";
import { useSource } from "@/components/chain/NetworkContext";
import { Text } from "@/components/chain/Text";
import { toFailure } from "@/lib/decode/failure";
import { t } from "@/lib/messages/translate";
import { failureTraceQuery } from "@/lib/query/queries";

export function FailureReason({ hash, token }: { hash: string; token: string | null }) {
  const source = useSource();
  const { data, error } = useQuery(failureTraceQuery(source, hash));
  if (error) return <span className="text-ink-2">{t("failed.noTrace", { message: error.message })}</span>;
  if (data === undefined) return <span className="skeleton w-48" />;
  const failure = toFailure(data.output);
  switch (failure.kind) {
    case "text":
      return <q className="font-medium">{failure.text}</q>;
    case "panic":
      return t("failed.panic", { text: failure.text, code: `0x${failure.code.toString(16)}` });
    case "insufficientBalance":
      return (
        <Text
          id="failed.balance"
          values={{
            account: <AddressLink address={failure.account} />,
            balance: <TokenAmount units={failure.balance} token={token ?? ""} />,
            needed: <TokenAmount units={failure.needed} token={token ?? ""} />,
          }}
        />
      );
    case "insufficientAllowance":
      return (
        <Text
          id="failed.allowance"
          values={{
            spender: <AddressLink address={failure.spender} />,
            allowance: <TokenAmount units={failure.allowance} token={token ?? ""} />,
            needed: <TokenAmount units={failure.needed} token={token ?? ""} />,
          }}
        />
      );
    case "custom":
      return t("failed.custom", { selector: failure.selector });
    case "empty":
      return data.revertReason ?? t("failed.empty", { error: data.error ?? "execution reverted" });
  }
}
