/**
 * t() for the page that changes a chain by hand.
 */
import { commonMessages } from "@/lib/messages/enCommon";
import { toolsMessages } from "@/lib/messages/enTools";
import { createTranslate } from "@/lib/messages/translate";

export const t = createTranslate({ ...commonMessages, ...toolsMessages });
