/** Converts labels to text, such as `region=eu, tier=1`, and text to labels. */

export const labelsText = (labels: Readonly<Record<string, string>>): string =>
  Object.entries(labels)
    .map((pair) => pair.join("="))
    .join(", ")

/** The labels in a text. The parts between the commas are skipped if they have no name or no value. */
export const labelsIn = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    text.split(",").flatMap((part) => {
      const [, name, value] = /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(part) ?? []
      return name === undefined || value === undefined || value === "" ? [] : [[name, value] as const]
    })
  )
