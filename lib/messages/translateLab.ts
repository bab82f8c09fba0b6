/**
 * t() for the failure lab.
 */
import { commonMessages } from "@/lib/messages/enCommon";
import { labMessages } from "@/lib/messages/enLab";
import { createTranslate, type PlainKeyOf } from "@/lib/messages/translate";

const texts = { ...commonMessages, ...labMessages };
export type LabKey = PlainKeyOf<typeof texts>;

export const t = createTranslate(texts);
