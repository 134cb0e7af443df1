/** Labels as text: `region=eu, tier=1`. */

export const labelsText = (labels: Readonly<Record<string, string>>): string =>
  Object.entries(labels)
    .map((pair) => pair.join("="))
    .join(", ")

/** The labels of a text. Parts without a value are omitted. */
export const labelsIn = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    text.split(",").flatMap((part) => {
      const [, name, value] = /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(part) ?? []
      return name === undefined || value === undefined || value === "" ? [] : [[name, value] as const]
    })
  )
