/**
 * The form for entering the URL to pay. It is a GET form, so every request has its own page URL. If the request is
 * already this page's, it only asks for the price again, and the last price stays until the new one arrives.
 */
"use client";

import { useQueryClient } from "@tanstack/react-query";
import type { FormEvent, ReactNode } from "react";
import { useNetwork } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { toPlaygroundPath } from "@/lib/links";
import type { PageNetwork } from "@/lib/networks";
import { readAgain } from "@/lib/query/client";
import type { PaidCall } from "./exchange";
import { urlPriceQuery } from "./urlPriceQuery";

export function UrlForm({
  networks,
  call: { url, method, body = "" },
  isWrong,
  children,
}: {
  networks: readonly PageNetwork[];
  call: PaidCall;
  isWrong: boolean;
  /** A note below the fields. */
  children?: ReactNode;
}) {
  const network = useNetwork();
  const queries = useQueryClient();

  function askAgain(event: FormEvent<HTMLFormElement>): void {
    const entered = new FormData(event.currentTarget);
    const text = (name: string) => String(entered.get(name) ?? "").trim();
    const isSame =
      text("url") === url && text("method") === method && (method === "GET" || text("body") === body.trim());
    if (!isSame || isWrong) return;
    event.preventDefault();
    void readAgain(queries, urlPriceQuery({ url, method, body }, network, networks));
  }

  return (
    <Sheet id="url" title="URL to pay">
      <form
        method="get"
        action={toPlaygroundPath(network.name, "url")}
        onSubmit={askAgain}
        className="group grid grid-cols-[auto_minmax(0,1fr)] sm:[reading-flow:grid-rows] gap-x-2 gap-y-3 p-4 text-14 sm:grid-cols-[auto_minmax(0,1fr)_auto]"
      >
        <select name="method" aria-label="Method" defaultValue={method} className="field">
          <option>GET</option>
          <option>POST</option>
        </select>
        <input
          name="url"
          type="text"
          inputMode="url"
          aria-label="URL"
          spellCheck={false}
          autoComplete="off"
          required
          maxLength={2048}
          defaultValue={url}
          placeholder="http://localhost:4021/report"
          className="field w-full"
          aria-invalid={isWrong || undefined}
          aria-describedby={isWrong ? "url-wrong" : undefined}
        />
        {isWrong && (
          <p id="url-wrong" role="alert" className="col-span-full text-neg">
            Enter a URL that starts with https:// or http://.
          </p>
        )}
        {/* Shown if POST is chosen, even without scripts. */}
        <label className="col-span-full hidden text-13 text-ink-2 group-has-[option:last-child:checked]:block">
          JSON body
          <textarea
            name="body"
            rows={3}
            maxLength={4096}
            spellCheck={false}
            defaultValue={body}
            className="field mt-1 w-full"
          />
        </label>
        <button
          type="submit"
          className={`button justify-center max-sm:col-span-full sm:col-start-3 sm:row-start-1 ${url === "" ? "button-primary" : ""}`}
        >
          Get the price
        </button>
      </form>
      {children}
    </Sheet>
  );
}
