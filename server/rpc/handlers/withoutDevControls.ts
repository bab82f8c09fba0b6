/** What pages read of dev controls on a chain that has none. */
import { handler } from "@/server/rpc/ports";

export const explorer_getDeveloperState = handler("explorer_getDeveloperState", ["chain"], () => null);
