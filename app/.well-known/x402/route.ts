/** Serves GET /.well-known/x402 when Next runs without Tollscan's own server. Both use the same handler. */
import { GET as answer } from "@/app/api/[...path]/route";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

export { answer as GET, answer as HEAD, answer as OPTIONS };
