/** Serves GET /.well-known/x402 when Next runs without our own server. It uses the same handler as our server does. */
import { GET as answer } from "@/app/api/[...path]/route";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

export { answer as GET, answer as HEAD, answer as OPTIONS };
