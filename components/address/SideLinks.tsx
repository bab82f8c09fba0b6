import { FilterLinks } from "@/components/lists/FilterLinks";
import { toFilteredPath } from "@/lib/links";
import type { TransferSide } from "@/lib/rpc/explorerAddressShapes";

const sides = [undefined, "in", "out"] as const;
const labels = { all: "All", in: "In", out: "Out" };

/** Links that filter an address's transfers by direction. They keep the other filters. */
export function SideLinks({
  path,
  filter,
}: {
  path: string;
  filter: { direction?: TransferSide | undefined; token?: string; account?: string };
}) {
  return (
    <FilterLinks
      label="Filter by direction"
      choices={sides.map((direction) => ({
        label: labels[direction ?? "all"],
        path: toFilteredPath(path, { ...filter, direction }),
        isCurrent: direction === filter.direction,
      }))}
    />
  );
}
