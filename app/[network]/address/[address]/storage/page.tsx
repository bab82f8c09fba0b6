/** The storage of an address, at the chain head or at a given block. */
import { type AddressProps, readAddressProps, toAddressMetadata } from "@/app/[network]/address/[address]/loadAddress";
import { getNetwork, toSingle, withQueries } from "@/app/[network]/loadPage";
import { AddressStorage } from "@/components/address/AddressStorage";
import { isLookup, toLookupWord } from "@/components/address/slotLookup";
import { slotKeysQuery, storageQuery } from "@/lib/query/explorerQueries";
import { findLayout, toKeyQueries } from "@/lib/query/storageKeys";

export const generateMetadata = toAddressMetadata("storage");

export default async function AddressStoragePage(props: AddressProps) {
  const { source, address, query, cursor } = await readAddressProps(props);
  const given = toSingle(query.block);
  const block = given !== undefined && /^\d{1,15}$/.test(given) ? Number(given) : undefined;
  const key = toSingle(query.key);
  const lookup = key !== undefined && isLookup(key) ? key : undefined;
  const named = toSingle(query.mapping);
  const mapping = named !== undefined && /^\w{1,40}$/.test(named) ? named : undefined;
  const layout = findLayout(await getNetwork(source.network), address);
  const { holders, payments, events } = toKeyQueries(source, address, layout, lookup && toLookupWord(lookup));
  const keys = [...[holders, payments].filter(({ enabled }) => enabled), ...events];
  const page = (
    <AddressStorage
      key={`${address}${block}${lookup}${mapping}${cursor}`}
      address={address}
      block={block}
      lookup={lookup}
      mapping={mapping}
      cursor={cursor}
    />
  );
  if (lookup !== undefined || mapping !== undefined) return withQueries(keys, page);
  const storage = storageQuery(source, address, block, cursor);
  return withQueries([storage, ...keys], (client) => {
    const slots = client.getQueryData(storage.queryKey)?.items.map(({ slot }) => slot);
    return slots ? withQueries([slotKeysQuery(source, address, slots, block)], page) : page;
  });
}
