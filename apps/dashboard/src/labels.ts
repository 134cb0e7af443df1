/** Converts labels to text, such as `region=eu, tier=1`, and text to labels. */

export const labelsText = (labels: Readonly<Record<string, string>>): string =>
  Object.entries(labels)
    .map((pair) => pair.join("="))
    .join(", ")

/** The labels in a text. A comma separates two labels. A label without a name or without a value is skipped. */
export const labelsIn = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    text.split(",").flatMap((part) => {
      const [, name, value] = /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(part) ?? []
      return name === undefined || value === undefined || value === "" ? [] : [[name, value] as const]
    })
  )
