import { type AddressProps, readAddressProps, toAddressMetadata } from "@/app/[network]/address/[address]/loadAddress";
import { withQueries } from "@/app/[network]/loadPage";
import { AddressCode } from "@/components/address/AddressCode";
import { isReading, listFunctions } from "@/components/address/contractFunctions";
import { interfaces } from "@/lib/decode/interfaces";
import { selectorsQuery } from "@/lib/query/explorerQueries";
import { codeQuery } from "@/lib/query/queries";

export const generateMetadata = toAddressMetadata("code");

export default async function AddressCodePage(props: AddressProps) {
  const { source, address } = await readAddressProps(props);
  const asked = source.request({ method: "explorer_getSelectors", params: [address] });
  // If the node can't answer, the page requests the selectors again and shows the error.
  const found = await asked.catch(() => undefined);
  const reads = listFunctions(found?.selectors ?? [], interfaces).flatMap((each) =>
    each.kind === "known" && isReading(each.abi) ? [each.selector] : [],
  );
  return withQueries(
    [codeQuery(source, address), { ...selectorsQuery(source, address), queryFn: () => asked }],
    <AddressCode address={address} reads={reads} />,
  );
}
