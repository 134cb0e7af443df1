export const tables = (): ReadonlyArray<readonly [string, string]> => []
