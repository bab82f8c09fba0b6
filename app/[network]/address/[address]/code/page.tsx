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
  const query = selectorsQuery(source, address);
  return withQueries([codeQuery(source, address), query], (client) => {
    const found = client.getQueryData(query.queryKey);
    const reads = listFunctions(found?.selectors ?? [], interfaces).flatMap((each) =>
      each.kind === "known" && isReading(each.abi) ? [each.selector] : [],
    );
    return <AddressCode address={address} reads={reads} />;
  });
}
