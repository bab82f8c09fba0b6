/**
 * The difference between the two builds. The build program replaces this file for the traced build, so that the plain
 * build contains no tracing code.
 */
export const TRACED: bool = false;
