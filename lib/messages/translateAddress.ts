/**
 * t() for the address pages.
 */
import { addressMessages } from "@/lib/messages/enAddress";
import { commonMessages } from "@/lib/messages/enCommon";
import { createTranslate } from "@/lib/messages/translate";

export const t = createTranslate({ ...commonMessages, ...addressMessages });
