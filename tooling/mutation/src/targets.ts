/** What is mutated, and by which tests. */

/** A package, or the part of one whose every line has to matter. Paths are from the repository's root. */
export interface Target {
  readonly sources: ReadonlyArray<string>
  readonly tests: ReadonlyArray<string>
  /** Tests among them that are about something else. */
  readonly others: ReadonlyArray<string>
}

const core = (files: string): string => `packages/core/${files}`
const server = (files: string): string => `packages/server/${files}`

export const targets: Readonly<Record<string, Target>> = {
  protocol: {
    sources: [
      "packages/protocol/src/**/*.ts",
      "!packages/protocol/src/{generated,declarations}/**",
      "!packages/protocol/src/{schemas,testing,Ftl}.ts"
    ],
    tests: ["packages/protocol/test/**/*.test.ts"],
    // Properties of made-up messages, which take seconds to fail: first they look for the simplest message that fails.
    others: ["packages/protocol/test/roundTrip.test.ts"]
  },
  // The machines: what they conclude from bytes and silence is all that there is to know of them.
  core: {
    sources: [
      core("src/query/{QueryExchange,ServerExchange,lifeSigns}.ts"),
      core("src/handshake/HandshakeExchange.ts"),
      core("src/master/{MasterPageExchange,MasterPaging,masterRounds}.ts"),
      core("src/engine/{Exchange,retransmission}.ts"),
      core("src/scan/{TokenBucket,routeTable}.ts"),
      core("src/log/LogEntry.ts"),
      core("src/rcon/{deadline,goldSourceMachine,goldSourceTexts,quietRule,replyText,secretMask,sourceMachine}.ts")
    ],
    tests: [
      core("test/*.test.ts"),
      core("test/engine/{Exchange,retransmission,retransmission.roundTrip}.test.ts"),
      core("test/scan/{TokenBucket,routeTable}.test.ts"),
      core("test/{handshake,log,master,query,rcon}/*.test.ts")
    ],
    others: [core("test/{log/LogStream,master/Master,rcon/*Session,faults,types}.test.ts")]
  },
  server: {
    sources: [
      server("src/query/{Challenge,HandshakeResponder,Responder,byteCounts,prepare,request}.ts"),
      server("src/limits/{RateLimit,siphash}.ts"),
      server("src/master/{MasterResponder,listing,matching}.ts"),
      server("src/rcon/{goldSourceReply,loginAttempts,outbox,sourceConnection}.ts")
    ],
    // What a responder makes of the profiles stands in the emulator's tests.
    tests: [
      server("test/*.test.ts"),
      server("test/{query,limits,master,rcon}/*.test.ts"),
      "packages/emulator/test/profiles/*.test.ts"
    ],
    others: [server("test/query/Bzip2.test.ts"), server("test/master/MasterServer.test.ts")]
  }
}
