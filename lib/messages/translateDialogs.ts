/**
 * t() for the keys, the commands and the list of requests, which open over a page.
 */
import { commonMessages } from "@/lib/messages/enCommon";
import { dialogsMessages } from "@/lib/messages/enDialogs";
import { createTranslate, type PlainKeyOf } from "@/lib/messages/translate";

const texts = { ...commonMessages, ...dialogsMessages };
export type DialogsKey = PlainKeyOf<typeof texts>;

export const t = createTranslate(texts);
