/**
 * t() for a block's pages.
 */
import { blockMessages } from "@/lib/messages/enBlock";
import { commonMessages } from "@/lib/messages/enCommon";
import { createTranslate } from "@/lib/messages/translate";

export const t = createTranslate({ ...commonMessages, ...blockMessages });
