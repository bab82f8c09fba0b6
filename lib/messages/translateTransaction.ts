/**
 * t() for a transaction's pages.
 */
import { callMessages } from "@/lib/messages/enCall";
import { commonMessages } from "@/lib/messages/enCommon";
import { transactionMessages } from "@/lib/messages/enTransaction";
import { createTranslate, type PlainKeyOf } from "@/lib/messages/translate";

const texts = { ...commonMessages, ...callMessages, ...transactionMessages };
export type TransactionKey = PlainKeyOf<typeof texts>;

export const t = createTranslate(texts);
