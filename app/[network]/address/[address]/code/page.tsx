import { type AddressProps, readAddressProps, toAddressMetadata } from "@/app/[network]/address/[address]/loadAddress";
import { withQueries } from "@/app/[network]/loadPage";
import { AddressCode } from "@/components/address/AddressCode";
import { selectorsQuery } from "@/lib/query/explorerQueries";
import { codeQuery } from "@/lib/query/queries";

export const generateMetadata = toAddressMetadata("code");

export default async function AddressCodePage(props: AddressProps) {
  const { source, address } = await readAddressProps(props);
  return withQueries([codeQuery(source, address), selectorsQuery(source, address)], <AddressCode address={address} />);
}
