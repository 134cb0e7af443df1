/**
 * Plots over time.
 *
 * @module
 */
export { formatPosition, type Mark, Marks } from "./Marks.tsx"
export { type OtherLine, Plot, type PlotProps } from "./Plot.tsx"
