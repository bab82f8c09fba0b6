/**
 * t() for the playground and of a payment shown in steps.
 */
import { commonMessages } from "@/lib/messages/enCommon";
import { playMessages } from "@/lib/messages/enPlay";
import { createTranslate } from "@/lib/messages/translate";

export const t = createTranslate({ ...commonMessages, ...playMessages });
