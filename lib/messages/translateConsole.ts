/**
 * t() for the JSON-RPC console.
 */
import { commonMessages } from "@/lib/messages/enCommon";
import { consoleMessages } from "@/lib/messages/enConsole";
import { createTranslate } from "@/lib/messages/translate";

export const t = createTranslate({ ...commonMessages, ...consoleMessages });
