/**
 * Makes the resource information in a payment safe to show. Payers send it unsigned, so misleading or harmful values
 * are dropped, following the bazaar extension's rules.
 */
import { toShownText } from "@/lib/shownText";
import type { ResourceInfo } from "@/lib/x402/types";

const maxDescription = 500;
const printable = /^[\x20-\x7e]{1,32}$/;
const localNames = ["localhost", "localhost.localdomain", "ip6-localhost", "ip6-loopback"];

/** Returns the fields that may be shown and omits the others. */
export function toShownInfo({
  description,
  mimeType,
  serviceName,
  tags,
  iconUrl,
}: ResourceInfo): Omit<ResourceInfo, "url"> {
  const text = description && toShownText(description, maxDescription);
  const labels = [...new Map((tags ?? []).map((tag) => [tag.toLowerCase(), tag])).values()].filter(isPrintable);
  return {
    ...(text && { description: text }),
    ...(isMimeType(mimeType) && { mimeType }),
    ...(isPrintable(serviceName) && { serviceName }),
    ...(labels.length > 0 && { tags: labels.slice(0, 5) }),
    ...(isIconUrl(iconUrl) && { iconUrl }),
  };
}

function isPrintable(text: string | undefined): text is string {
  return text !== undefined && printable.test(text);
}

function isMimeType(text: string | undefined): text is string {
  return text !== undefined && text.length <= 128 && /^[\w.+-]+\/[\w.+*-]+(; ?[\w.+-]+="?[\w.+-]+"?)*$/.test(text);
}

/** Whether a page may load the icon. Icons from localhost or from an IP address are rejected. */
function isIconUrl(text: string | undefined): text is string {
  if (text === undefined || text.length > 2048 || !URL.canParse(text)) return false;
  const { protocol, username, password, hostname } = new URL(text);
  const isNamed = !hostname.startsWith("[") && !/^[\d.]+$/.test(hostname) && !localNames.includes(hostname);
  return (protocol === "http:" || protocol === "https:") && username === "" && password === "" && isNamed;
}
