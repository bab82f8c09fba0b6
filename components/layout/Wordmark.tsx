/** The app's name and logo: a ruler with one raised gate. */
export function Wordmark() {
  return (
    <span className="inline-flex items-center gap-2 text-16 font-semibold tracking-tight">
      <svg aria-hidden viewBox="0 0 20 20" className="size-5" focusable="false">
        <path
          d="M1 17.5h18M3 17V13M6.5 17v-4M10 17V3M13.5 17v-4M17 17v-4"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.6"
        />
        <path d="M10 3.8 17.5 8" fill="none" stroke="currentColor" strokeWidth="1.6" />
      </svg>
      <span className="max-sm:sr-only">Tollscan</span>
    </span>
  );
}
