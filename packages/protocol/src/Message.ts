/**
 * All messages: an interface and a codec of the same name for each.
 *
 * @module
 */
export * from "./generated/codecs.ts"
