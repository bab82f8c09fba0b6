/** A URL or a path. If it doesn't fit on one line, it breaks after a slash. */
import { Fragment } from "react";

export function Url({ url }: { url: string }) {
  return (
    <span className="mono wrap-anywhere min-w-0">
      {url.split(/(?<=[^/]\/)(?=[^/])/).map((part, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a URL don't move
        <Fragment key={place}>
          {place > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </span>
  );
}
