/** The header of the playground pages, with links to all of these pages. */
import { MainnetNotice } from "@/components/layout/MainnetNotice";
import { PageTabs } from "@/components/layout/PageTabs";
import { toPlaygroundPath, toSectionPath } from "@/lib/links";

export function PlaygroundHead({ network, title, intro }: { network: string; title: string; intro: string }) {
  return (
    <>
      <div className="flex flex-col gap-1">
        <h1>{title}</h1>
        <p className="text-pretty text-14 text-ink-2">{intro}</p>
      </div>
      <MainnetNotice />
      <PageTabs
        tabs={[
          { label: "Pay for a resource", path: toSectionPath(network, "playground") },
          { label: "Pay any URL", path: toPlaygroundPath(network, "url") },
          { label: "Failure lab", path: toPlaygroundPath(network, "failures") },
        ]}
      />
    </>
  );
}
