/** The footer of every page: facts about the network, and the requests behind the page. */
import { Url } from "@/components/atoms/Url";
import { AppLink } from "@/components/layout/AppLink";
import { DialogButton } from "@/components/layout/Header";
import { toSectionPath, toToolsPath } from "@/lib/links";
import { type PageNetwork, toRpcPath } from "@/lib/networks";

export function Footer({ network, origin }: { network: PageNetwork; origin: string }) {
  return (
    <footer className="mt-auto border-line border-t">
      <div className="page-width flex flex-wrap items-center justify-between gap-x-8 gap-y-3 py-4 text-13 text-ink-2">
        <p className="min-w-0 flex-1 basis-48 max-sm:basis-full max-sm:*:block">
          {network.label}, chain {network.chainId}: <Url url={`${origin}${toRpcPath(network)}`} />
        </p>
        <nav
          aria-label="More pages"
          className="flex flex-wrap gap-x-5 gap-y-1 max-sm:grid max-sm:w-full max-sm:grid-cols-2 sm:max-lg:order-last sm:max-lg:basis-full"
        >
          <AppLink href={toSectionPath(network.name, "charts")}>Charts</AppLink>
          <AppLink href={toSectionPath(network.name, "node")}>Node</AppLink>
          {network.embedded && (
            <>
              <AppLink href={toSectionPath(network.name, "accounts")}>Test accounts</AppLink>
              <AppLink href={toSectionPath(network.name, "tools")}>Developer tools</AppLink>
            </>
          )}
          <AppLink href={toToolsPath(network.name, "encode")}>Encode and decode</AppLink>
          <button type="button" data-opens="labels" className="app-link text-left">
            Labels
          </button>
          <AppLink href={toSectionPath(network.name, "docs")}>Docs</AppLink>
        </nav>
        <DialogButton opens="requests" label="Show requests" />
      </div>
    </footer>
  );
}
