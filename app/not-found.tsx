/** The page for any unknown path, including outside a network: lists this node's networks. */
import { Empty } from "@/components/layout/Empty";
import { Sheet } from "@/components/layout/Sheet";
import { Wordmark } from "@/components/layout/Wordmark";
import { toHomePath } from "@/lib/links";
import { getNode } from "@/server/node/instance";

export const dynamic = "force-dynamic";

export default async function NotFound() {
  const { networks } = await getNode();
  return (
    <main className="page-width flex flex-col gap-6 py-8">
      <Wordmark />
      <Sheet>
        <Empty level="h1" icon="search" title="Page not found">
          <p>This URL doesn’t belong to one of this node’s networks. Choose a network:</p>
          <p className="flex flex-wrap gap-2">
            {[...networks.values()].map(({ network }) => (
              // A plain link, because every page loads this file's code, and AppLink would add a second copy of the
              // router's link code.
              <a key={network.name} href={toHomePath(network.name)} className="button">
                {network.label}
              </a>
            ))}
          </p>
        </Empty>
      </Sheet>
    </main>
  );
}
