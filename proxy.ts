/**
 * Sets every page's Content Security Policy with a fresh nonce, which pages read from the x-nonce request header. Also
 * rejects requests with an unknown Host header, because Next may run without our listener.
 */
import { type NextRequest, NextResponse } from "next/server";
import { readAccessRules } from "@/server/config/accessRules";
import { type Access, createAccess } from "@/server/http/access";
import { toTextRefusal } from "@/server/http/answers";

const isDev = process.env.NODE_ENV === "development";

function toPolicy(nonce: string): string {
  return [
    "default-src 'self'",
    // Hot reloading evaluates code; a production page never does.
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${isDev ? " 'unsafe-eval'" : ""}`,
    // Inline styles are allowed, because style attributes can't have a nonce.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    // An injected wallet makes its own requests, so the page itself needs no other host.
    `connect-src 'self'${isDev ? " ws:" : ""}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

let access: Access | undefined;

export function proxy(request: NextRequest): NextResponse {
  access ??= createAccess(readAccessRules(process.env, process.cwd()));
  const refusal = access.findHostRefusal(request.headers.get("host") ?? undefined);
  if (refusal !== undefined) {
    const { body, ...init } = toTextRefusal(421, refusal);
    return new NextResponse(body, init);
  }
  const nonce = btoa(crypto.randomUUID());
  const policy = toPolicy(nonce);
  const headers = new Headers(request.headers);
  headers.set("x-nonce", nonce);
  // Next reads the nonce for its own scripts from the request's policy.
  headers.set("content-security-policy", policy);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("content-security-policy", policy);
  return response;
}

export const config = {
  matcher: [{ source: "/((?!api/|_next/static|_next/image|favicon.ico|icon.svg|robots.txt).*)" }],
};
