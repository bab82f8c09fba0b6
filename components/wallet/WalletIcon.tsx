/** A wallet's own icon. It is shown only if it's a data URI, because any other URI would cause a request. */
export function WalletIcon({ icon }: { icon: string | undefined }) {
  if (!icon?.startsWith("data:image/")) {
    return (
      <svg aria-hidden focusable="false" viewBox="0 0 16 16" className="size-5 shrink-0 text-ink-3">
        <path
          d="M2.5 5h11v8h-11zM2.5 5l8-2.5V5M10.5 9h1"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.2"
          strokeLinejoin="round"
        />
      </svg>
    );
  }
  // biome-ignore lint/performance/noImgElement: a data URI needs no optimizing
  return <img src={icon} alt="" width={20} height={20} className="size-5 shrink-0" />;
}
