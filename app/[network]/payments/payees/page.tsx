/** What each payee of this network earned. */
import type { Metadata } from "next";
import { toTotalsPage } from "@/app/[network]/payments/totalsPage";

export const metadata: Metadata = { title: "By payee" };

export default toTotalsPage("payee", "By payee");
