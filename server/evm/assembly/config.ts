/**
 * The only difference between the two builds. For the traced build, the build program replaces this file, so that the
 * plain build contains no tracing code.
 */
export const TRACED: bool = false;
