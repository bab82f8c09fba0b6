/**
 * t() for the pages of charts and of the node.
 */
import { commonMessages } from "@/lib/messages/enCommon";
import { nodeMessages } from "@/lib/messages/enNode";
import { createTranslate } from "@/lib/messages/translate";

export const t = createTranslate({ ...commonMessages, ...nodeMessages });
