/**
 * Checks of what JavaScript passes to a function, for packages that end in the same errors as this one.
 *
 * @module
 */
export { demand, holdsOf, isText, shown } from "./edge.ts"
