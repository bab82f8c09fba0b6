/** Serves GET /.well-known/x402 when Next runs without our server, by calling the listener's handler. */
import { GET as answer } from "@/app/api/[...path]/route";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

export { answer as GET, answer as HEAD, answer as OPTIONS };
