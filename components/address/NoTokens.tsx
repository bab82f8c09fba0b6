/** Shown instead of a list of tokens. */
import { FundButton } from "@/components/accounts/FundButton";
import { Empty } from "@/components/layout/Empty";
import { useNetwork } from "@/components/layout/NetworkContext";

/** Offers the faucet if the network is embedded, because its test tokens are free. */
export function NoTokens({ address, title }: { address: string; title: string }) {
  const { embedded } = useNetwork();
  return (
    <Empty title={title}>
      {embedded && (
        <>
          <p>This chain’s faucet sends test tokens to any address.</p>
          <FundButton isPrimary address={address} />
        </>
      )}
    </Empty>
  );
}
