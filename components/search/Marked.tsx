/** The words of a search, marked in the texts that it found. */
import { WrapText } from "@/components/atoms/WrapText";

/** A pattern that matches each of the search's words. */
export function toWords(wanted: string): RegExp | undefined {
  const words = wanted.split(/\s+/).flatMap((word) => (word ? [word.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")] : []));
  return words.length === 0 ? undefined : new RegExp(`(${words.join("|")})`, "i");
}

/** Marks the words of the search in a text. */
export function Marked({ text, words }: { text: string; words: RegExp | undefined }) {
  if (!words) return text;
  return text.split(words).map((part, place) =>
    place % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts never move
      <mark key={place} className="bg-lit text-inherit">
        <WrapText text={part} />
      </mark>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts never move
      <WrapText key={place} text={part} />
    ),
  );
}
