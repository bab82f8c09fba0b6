/** Shown instead of a list of tokens. */
import { useQuery } from "@tanstack/react-query";
import { FundButton } from "@/components/accounts/FundButton";
import { AppLink } from "@/components/layout/AppLink";
import { Empty } from "@/components/layout/Empty";
import { useNetwork, useSource } from "@/components/layout/NetworkContext";
import { listFaucetAmounts } from "@/components/wallet/useFaucet";
import { toTokenPath } from "@/lib/links";
import { tokenQuery } from "@/lib/query/explorerQueries";
import { codeQuery } from "@/lib/query/queries";

/** `none` completes the title: "holds no tokens". */
export function NoTokens({ address, none }: { address: string; none: string }) {
  const source = useSource();
  const network = useNetwork();
  const { data: code } = useQuery(codeQuery(source, address));
  const { data: figures } = useQuery(tokenQuery(source, address));
  const isAccount = code === "0x";
  return (
    <Empty title={`This ${isAccount ? "address" : "contract"} ${none}`}>
      {/* A contract may not be able to use test money. */}
      {network.embedded && isAccount && (
        <>
          <p>This chain’s faucet sends {listFaucetAmounts(network)} to any address.</p>
          <FundButton isPrimary address={address} />
        </>
      )}
      {figures && (
        <AppLink href={toTokenPath(source.network, address)} className="button">
          See who holds this token
        </AppLink>
      )}
    </Empty>
  );
}
