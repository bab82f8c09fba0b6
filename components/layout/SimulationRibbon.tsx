/** A line on every page of a local network that says that the network is a simulation. It can't be dismissed. */
import type { PageNetwork } from "@/lib/networks";

const factClass = "min-w-0 truncate before:mr-3 before:content-['·']";

export function SimulationRibbon({ network }: { network: PageNetwork }) {
  if (!network.isLocal) return null;
  return (
    <aside aria-label="Local simulation" className="bg-ribbon text-13 text-on-ribbon">
      <p className="page-width flex justify-center gap-3 whitespace-nowrap py-1">
        <strong>Local simulation · no real money</strong>
        <span className={factClass}>{network.label}</span>
        <span className={`${factClass} max-sm:hidden`}>
          chain ID {network.chainId}
          {network.publicChain && `, not the real ${network.publicChain.name}`}
        </span>
      </p>
    </aside>
  );
}
