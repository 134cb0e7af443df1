/**
 * All messages: for each an interface and a codec of the same name.
 *
 * @module
 */
export * from "./generated/codecs.ts"
