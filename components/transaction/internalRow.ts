/** How the overview lists internal transactions. The placeholders of rows that load later have the same height. */
export const mostInternalRows = 5;
export const internalRowClass =
  "flex min-h-6 items-center gap-x-2 max-sm:min-h-13 max-sm:flex-wrap max-sm:content-center max-sm:justify-between max-sm:[&>.parties]:basis-full";
