/**
 * Checks of arguments, for packages with the same errors as this one.
 *
 * @module
 */
export { demand, holdsOf, isText, shown } from "./edge.ts"
