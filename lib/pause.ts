export const pause = (durationMs: number) => new Promise<undefined>((resolve) => setTimeout(resolve, durationMs));
