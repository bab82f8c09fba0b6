/** Shown instead of a list of tokens. */
import { useQuery } from "@tanstack/react-query";
import { isAccountCode } from "@/components/address/proxy";
import { AppLink } from "@/components/layout/AppLink";
import { Empty } from "@/components/layout/Empty";
import { useNetwork, useSource } from "@/components/layout/NetworkContext";
import { listFaucetAmounts } from "@/components/wallet/useFaucet";
import { tokenQuery } from "@/lib/query/explorerQueries";
import { codeQuery } from "@/lib/query/queries";

export function NoTokens({
  address,
  none,
  tokenLink,
}: {
  address: string;
  /** Completes the title: "holds no tokens". */
  none: string;
  /** If the contract is a token, the list that the visitor may have looked for. */
  tokenLink: { path: string; label: string };
}) {
  const source = useSource();
  const network = useNetwork();
  const { data: code = "0x" } = useQuery(codeQuery(source, address));
  const { data: figures } = useQuery(tokenQuery(source, address));
  const isAccount = isAccountCode(code);
  return (
    <Empty title={`This ${isAccount ? "address" : "contract"} ${none}`}>
      {/* A contract may not be able to use test money. */}
      {network.embedded && isAccount && (
        <p>“Get test money” above sends it {listFaucetAmounts(network)} from this chain’s faucet.</p>
      )}
      {figures && (
        <AppLink href={tokenLink.path} className="button">
          {tokenLink.label}
        </AppLink>
      )}
    </Empty>
  );
}
