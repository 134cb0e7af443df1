export * from "./Datagrams.ts"
export * from "./QueryError.ts"
