/**
 * What is mutated, and by which tests.
 *
 * @module
 */

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
      "!packages/protocol/src/{testing,Ftl}.ts"
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
      core("src/engine/{RoundTrip,TokenBucket,routeTable,transmissions,unanswered}.ts"),
      core("src/client/roundTrips.ts"),
      core("src/rcon/{deadline,goldSourceMachine,quietRule,replyText,sourceMachine}.ts")
    ],
    tests: [core("test/*.test.ts"), core("test/{client,engine,handshake,master,query,rcon}/*.test.ts")],
    others: [core("test/{client/Client,engine/Engine,master/Master,faults,types}.test.ts")]
  },
  server: {
    sources: [
      server("src/{Challenge,HandshakeResponder,MasterResponder,RateLimit,Responder}.ts"),
      server("src/internal/{byteCounts,fragmentFaults,prepare,request,siphash}.ts"),
      server("src/master/*.ts"),
      server("src/rcon/{goldSourceReply,loginAttempts,outbox,sourceConnection}.ts")
    ],
    tests: [server("test/*.test.ts"), server("test/{internal,master,rcon}/*.test.ts")],
    others: [
      server("test/{Bzip2,EmulatedServer,FaultyResponder,LogSender,MasterServer,Proxy,guide}.test.ts"),
      server("test/rcon/emulatedConsole.test.ts")
    ]
  }
}
