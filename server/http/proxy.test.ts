/** Tests Next's proxy, which checks the Host header of page requests even if Next runs without the node's listener. */
import { NextRequest } from "next/server";
import { expect, it } from "vitest";
import { proxy } from "@/proxy";

const open = (host: string) => proxy(new NextRequest("http://localhost:3000/testnet/tools", { headers: { host } }));

it("serves pages for a loopback name", () => {
  for (const host of ["localhost:3000", "127.0.0.1:3000", "[::1]:3000"]) {
    const response = open(host);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-security-policy")).toMatch(/script-src 'self' 'nonce-[^']+' 'strict-dynamic'/);
  }
});

it("refuses pages for a host name that an attacker points at this machine", async () => {
  const response = open("rebound.example:3000");
  expect(response.status).toBe(421);
  expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect(await response.text()).toBe(
    "Host not allowed: rebound.example; add it to TOLLSCAN_ALLOWED_HOSTS to allow it.\n",
  );
});
