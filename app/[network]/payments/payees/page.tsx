/** Total earnings of each payee on this network. */
import type { Metadata } from "next";
import { toTotalsPage } from "@/app/[network]/payments/totalsPage";

export const metadata: Metadata = { title: "By payee" };

export default toTotalsPage("payee", "By payee");
