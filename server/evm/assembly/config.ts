/**
 * The only difference between the two builds. The plain build uses this file, so it contains no tracing code. For the
 * traced build, the build program replaces it.
 */
export const TRACED: bool = false;
