/** A URL or a path. If it doesn't fit on one line, it wraps between its parts. */
import { WrapText } from "@/components/atoms/WrapText";

export const Url = ({ url }: { url: string }) => (
  <span className="mono wrap-anywhere min-w-0">
    <WrapText text={url} />
  </span>
);
