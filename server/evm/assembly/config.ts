/**
 * The difference between the two builds. The build program replaces this file's text for the traced one, so that the
 * other carries no trace of tracing.
 */
export const TRACED: bool = false;
