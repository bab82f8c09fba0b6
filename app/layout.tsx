/**
 * The document: fonts, theme and language. The theme comes from a cookie, so the first paint already uses it. The styles
 * here are those that most pages need; pages import the rest themselves, because the first paint waits for all styles.
 */
import type { Metadata, Viewport } from "next";
import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { mono, sans } from "@/components/fonts/fonts";
import { TemporaryNotice } from "@/components/layout/TemporaryNotice";
import { themeCookie, toTheme } from "@/components/layout/theme";
import { isTemporary } from "@/server/node/instance";
import "./globals.css";
import "@/components/atoms/atoms.css";
import "@/components/atoms/tables.css";
import "@/components/layout/frame.css";
import "@/components/payments/payments.css";
import "@/components/trace/trace.css";
import "@/components/transaction/transaction.css";

export const metadata: Metadata = {
  title: { default: "Tollscan", template: "%s · Tollscan" },
  description: "Block explorer, EVM node and x402 payment playground.",
};

export const viewport: Viewport = { width: "device-width", initialScale: 1, colorScheme: "light dark" };

export default async function RootLayout({ children }: { children: ReactNode }) {
  const theme = toTheme((await cookies()).get(themeCookie)?.value);
  return (
    <html lang="en" data-theme={theme} className={`${sans.variable} ${mono.variable}`} suppressHydrationWarning>
      <body>
        {isTemporary() && <TemporaryNotice />}
        {children}
      </body>
    </html>
  );
}
