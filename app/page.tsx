/** Redirects to the default network. Our own server shows its start page at "/" instead (server/http/pages.ts). */
import { redirect } from "next/navigation";
import { toHomePath } from "@/lib/links";
import { getNode } from "@/server/node/instance";

export const dynamic = "force-dynamic";

export default async function RootPage() {
  const node = await getNode();
  redirect(toHomePath(node.config.networks[0].name));
}
