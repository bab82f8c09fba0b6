/**
 * t() for the start page, and of a search that found nothing.
 */
import { commonMessages } from "@/lib/messages/enCommon";
import { homeMessages } from "@/lib/messages/enHome";
import { createTranslate } from "@/lib/messages/translate";

export const t = createTranslate({ ...commonMessages, ...homeMessages });
