/**
 * t() for calls, logs and failures, wherever they stand.
 */
import { callMessages } from "@/lib/messages/enCall";
import { commonMessages } from "@/lib/messages/enCommon";
import { createTranslate } from "@/lib/messages/translate";

export const t = createTranslate({ ...commonMessages, ...callMessages });
