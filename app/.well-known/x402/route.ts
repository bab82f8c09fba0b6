/** Serves GET /.well-known/x402 when Next runs without our own server, with the handler that our server also uses. */
import { GET as answer } from "@/app/api/[...path]/route";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

export { answer as GET, answer as HEAD, answer as OPTIONS };
