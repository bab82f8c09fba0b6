/** The page for reading from and writing to a contract. For a proxy, it lists the functions of the implementation. */
import { type AddressProps, readAddressProps, toAddressMetadata } from "@/app/[network]/address/[address]/loadAddress";
import { listNetworks, withQueries } from "@/app/[network]/loadPage";
import { ContractLoader } from "@/components/address/ContractLoader";
import { isGetter, listFunctions } from "@/components/address/contractFunctions";
import {
  beaconSlot,
  findCloned,
  findDelegate,
  findImplementation,
  implementationSelector,
  implementationSlot,
} from "@/components/address/proxy";
import { tokenAbi } from "@/lib/abi/token";
import { interfaces } from "@/lib/decode/interfaces";
import { viewQuery } from "@/lib/query/explorerQueries";
import type { Source } from "@/lib/query/source";
import { getNode } from "@/server/node/instance";

export const generateMetadata = toAddressMetadata("contract");

async function listSelectors({ request }: Source, address: `0x${string}`): Promise<string[]> {
  const code = await request({ method: "eth_getCode", params: [address, "latest"] });
  const slot = await request({ method: "eth_getStorageAt", params: [address, implementationSlot, "latest"] });
  const target =
    findDelegate(code) ??
    findCloned(code) ??
    findImplementation(slot) ??
    (await findBehindBeacon({ request }, address));
  const places = target === undefined ? [address] : [target, address];
  const found = await Promise.all(places.map((place) => request({ method: "explorer_getSelectors", params: [place] })));
  return [...new Set(found.flatMap(({ selectors }) => selectors))];
}

async function findBehindBeacon({ request }: Pick<Source, "request">, address: `0x${string}`) {
  const beacon = findImplementation(
    await request({ method: "eth_getStorageAt", params: [address, beaconSlot, "latest"] }),
  );
  if (beacon === undefined) return undefined;
  const call = { to: beacon, data: implementationSelector };
  // If the slot doesn't point to a beacon, this call may fail. The page then shows the contract's own functions.
  const answer = await request({ method: "eth_call", params: [call, "latest"] }).catch(() => undefined);
  return answer === undefined ? undefined : findImplementation(answer);
}

export default async function ContractPage(props: AddressProps) {
  const { source, address } = await readAddressProps(props);
  const node = await getNode();
  const { tokens, embedded } = node.networks.get(source.network)!.network;
  const token = tokens.find((each) => each.address.toLowerCase() === address);
  const known = token ? [{ name: token.symbol, abi: tokenAbi }, ...interfaces] : interfaces;
  const functions = listFunctions(await listSelectors(source, address), known);
  // A remote node would take too long to answer all calls before the page is sent.
  const getters = functions.filter((each) => embedded && each.kind === "known" && isGetter(each.abi));
  return withQueries(
    getters.map(({ selector }) => viewQuery(source, address, selector, ["head"])),
    <ContractLoader key={address} address={address} functions={functions} networks={listNetworks(node)} />,
  );
}
