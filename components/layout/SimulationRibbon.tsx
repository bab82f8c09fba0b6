/**
 * Says on every page of a local network that nothing there is real. It has one line and cannot be dismissed.
 */
import type { PageNetwork } from "@/lib/networks";

export function SimulationRibbon({ network }: { network: PageNetwork }) {
  if (!network.isLocal) return null;
  return (
    <aside aria-label="Local simulation" className="simulation-ribbon">
      <p className="page-width">
        <strong>Local simulation · no real money</strong>
        <span>{network.label}</span>
        <span className="max-sm:hidden">chain ID {network.chainId}</span>
      </p>
    </aside>
  );
}
