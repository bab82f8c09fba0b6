/** The logs that an address emitted, optionally filtered by topic. */
import { type AddressProps, readAddressProps, toAddressMetadata } from "@/app/[network]/address/[address]/loadAddress";
import { toSingle, withQueries } from "@/app/[network]/loadPage";
import { AddressLogs } from "@/components/address/AddressLogs";
import { addressLogsQuery } from "@/lib/query/explorerQueries";

export const generateMetadata = toAddressMetadata("logs");

export default async function AddressLogsPage(props: AddressProps) {
  const { source, address, query, cursor } = await readAddressProps(props);
  const given = [0, 1, 2, 3].map((place) => {
    const topic = toSingle(query[`topic${place}`])?.toLowerCase();
    return topic !== undefined && /^0x[0-9a-f]{64}$/.test(topic) ? topic : null;
  });
  // Trailing wildcards are dropped, because they would exclude logs with fewer topics.
  const topics = given.slice(0, given.findLastIndex((topic) => topic !== null) + 1);
  return withQueries(
    // The second query is for the names of the events to filter by.
    [addressLogsQuery(source, address, topics, cursor), addressLogsQuery(source, address, [])],
    <AddressLogs key={`${address}${topics}${cursor}`} address={address} topics={topics} cursor={cursor} />,
  );
}
