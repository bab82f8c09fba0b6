/**
 * t() for the token pages.
 */
import { commonMessages } from "@/lib/messages/enCommon";
import { tokenMessages } from "@/lib/messages/enToken";
import { createTranslate } from "@/lib/messages/translate";

export const t = createTranslate({ ...commonMessages, ...tokenMessages });
