"use client";
import { useNetwork } from "@/components/layout/NetworkContext";
import { PageTabs } from "@/components/layout/PageTabs";
import { toSectionPath, toToolsPath } from "@/lib/links";

export function ToolTabs() {
  const { name, embedded } = useNetwork();
  const controls = { label: "Chain controls", path: toSectionPath(name, "tools") };
  return (
    <PageTabs
      label="Tools"
      tabs={[...(embedded ? [controls] : []), { label: "Encode and decode", path: toToolsPath(name, "encode") }]}
    />
  );
}
