/** GET /.well-known/x402 if Next runs without our own server: the same handler as the listener's. */
import { GET as answer } from "@/app/api/[...path]/route";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

export { answer as GET, answer as HEAD, answer as OPTIONS };
