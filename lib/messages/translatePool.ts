/**
 * t() for the page of waiting transactions.
 */
import { commonMessages } from "@/lib/messages/enCommon";
import { poolMessages } from "@/lib/messages/enPool";
import { createTranslate } from "@/lib/messages/translate";

export const t = createTranslate({ ...commonMessages, ...poolMessages });
