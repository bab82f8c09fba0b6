/** Shown instead of a list of tokens. */
import { useQuery } from "@tanstack/react-query";
import { FundButton } from "@/components/accounts/FundButton";
import { Empty } from "@/components/layout/Empty";
import { useNetwork, useSource } from "@/components/layout/NetworkContext";
import { codeQuery } from "@/lib/query/queries";

/** Offers the faucet if the network is embedded, because its test tokens are free. An account has it in its title. */
export function NoTokens({ address, title }: { address: string; title: string }) {
  const { embedded } = useNetwork();
  const { data: code } = useQuery(codeQuery(useSource(), address));
  const isAccount = code === "0x";
  return (
    <Empty title={title}>
      {embedded && (
        <>
          <p>This chain’s faucet sends test tokens to any address{isAccount && ": select “Get test money” above"}.</p>
          {!isAccount && <FundButton address={address} />}
        </>
      )}
    </Empty>
  );
}
