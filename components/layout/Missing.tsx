"use client";
/**
 * An address inside a network that names nothing: what was wrong with it, and the search to try again.
 */
import { usePathname } from "next/navigation";
import { useNetwork } from "@/components/chain/NetworkContext";
import { AppLink } from "@/components/layout/AppLink";
import { Empty } from "@/components/layout/Empty";
import { Sheet } from "@/components/layout/Sheet";
import { toHomePath } from "@/lib/links";
import { t } from "@/lib/messages/translate";

const shapes = {
  address: { title: "missing.address", hint: "missing.addressHint" },
  tx: { title: "missing.hash", hint: "missing.hashHint" },
  block: { title: "missing.block", hint: "missing.blockHint" },
} as const;

export function Missing() {
  const network = useNetwork();
  const [, , section = "", text = ""] = usePathname().split("/");
  const shape = section in shapes ? shapes[section as keyof typeof shapes] : undefined;
  return (
    <Sheet>
      <Empty
        level="h1"
        icon="search"
        title={shape ? t(shape.title, { text: decodeURIComponent(text).slice(0, 80) }) : t("missing.title")}
      >
        {shape && <p>{t(shape.hint)}</p>}
        <AppLink href={toHomePath(network.name)} className="button">
          {t("missing.home")}
        </AppLink>
      </Empty>
    </Sheet>
  );
}
