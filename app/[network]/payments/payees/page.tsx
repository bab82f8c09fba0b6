import type { Metadata } from "next";
import { toTotalsPage } from "@/app/[network]/payments/totalsPage";

export const metadata: Metadata = { title: "Payments by payee" };

export default toTotalsPage("payee");
