/**
 * All messages. Each message has an interface and a codec with the same name.
 *
 * @module
 */
export * from "./generated/codecs.ts"
