/**
 * Every /api path when Next runs without our server, as on serverless platforms: wraps the listener's handlers for Web
 * requests.
 */
import { toErrorAnswer } from "@/server/http/answers";
import { answerWebRequest } from "@/server/http/nextAdapter";
import { getNode } from "@/server/node/instance";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";
/**
 * Seconds, for platforms with a time limit: the longest that any plan allows, for the event stream. Clients reconnect.
 */
export const maxDuration = 300;

async function answer(request: Request): Promise<Response> {
  const { findHandler, toHostRefusal, access, config } = await getNode();
  const { pathname } = new URL(request.url);
  const method = request.method === "HEAD" ? "GET" : request.method;
  const refusal = access.findHostRefusal(request.headers.get("host") ?? undefined);
  const handler =
    refusal === undefined
      ? (findHandler(method, pathname) ?? (() => toErrorAnswer(404, `No route for ${pathname}.`)))
      : () => toHostRefusal(pathname, refusal);
  return answerWebRequest(handler, request, config.limits.bodyBytes, access);
}

export {
  answer as DELETE,
  answer as GET,
  answer as HEAD,
  answer as OPTIONS,
  answer as PATCH,
  answer as POST,
  answer as PUT,
};
