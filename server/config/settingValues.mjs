/**
 * Parsers for the values of settings. Plain JavaScript that only uses Node builtins, because `npm start` runs it before
 * anything is installed.
 */

/** Thrown if the environment, or a file it refers to, is wrong. The message names the variable. */
export class ConfigError extends Error {
  name = "ConfigError";
  code = "CONFIG";
}

/** @param {string} text @param {string} name @param {number} least @param {number} most */
export function toInteger(text, name, least, most) {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= least && value <= most)) {
    throw new ConfigError(`${name} must be a whole number from ${least} to ${most}, but is "${text}".`);
  }
  return value;
}

/** @param {string} text @param {string} name */
export function toSwitch(text, name) {
  if (text !== "on" && text !== "off") throw new ConfigError(`${name} must be on or off, but is "${text}".`);
  return text === "on";
}
