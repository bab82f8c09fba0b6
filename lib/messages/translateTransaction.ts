/**
 * t() for a transaction's pages, and of what calls and logs say.
 */
import { commonMessages } from "@/lib/messages/enCommon";
import { transactionMessages } from "@/lib/messages/enTransaction";
import { createTranslate, type PlainKeyOf } from "@/lib/messages/translate";

const texts = { ...commonMessages, ...transactionMessages };
export type TransactionKey = PlainKeyOf<typeof texts>;

export const t = createTranslate(texts);
