/**
 * Serves every /api path when Next runs without Tollscan's own server, as on serverless platforms. It runs that
 * server's handlers on Web requests.
 */
import { toErrorAnswer } from "@/server/http/answers";
import { answerWebRequest } from "@/server/http/nextAdapter";
import { getNode } from "@/server/node/instance";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";
/**
 * Time limit in seconds on platforms that impose one. The value is high, because the event stream stays open. Clients
 * reconnect when the stream ends.
 */
export const maxDuration = 300;

async function answer(request: Request): Promise<Response> {
  const { findHandler, toRefusal, access, config } = await getNode();
  const { pathname } = new URL(request.url);
  const refusal = access.findHostRefusal(request.headers.get("host") ?? undefined);
  const handler =
    refusal === undefined
      ? (findHandler(pathname) ?? (() => toErrorAnswer(404, `No route for ${pathname}.`)))
      : () => toRefusal(pathname, 421, refusal);
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
