/** Shown instead of a list of tokens. */
import { AppLink } from "@/components/layout/AppLink";
import { Empty } from "@/components/layout/Empty";
import { useNetwork } from "@/components/layout/NetworkContext";
import { toConsolePath } from "@/lib/links";

/** Offers the faucet if the network is embedded, because its test tokens are free. */
export function NoTokens({ address, title }: { address: string; title: string }) {
  const { name, embedded } = useNetwork();
  return (
    <Empty title={title}>
      {embedded && (
        <>
          <p>This chain’s faucet sends test tokens to any address.</p>
          <AppLink href={toConsolePath(name, "explorer_fund", [address])} className="button">
            Fund it from the console
          </AppLink>
        </>
      )}
    </Empty>
  );
}
