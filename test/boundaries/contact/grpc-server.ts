import {
  credentials,
  makeGenericClientConstructor,
  Server,
  ServerCredentials,
  type ServiceDefinition,
  type ServiceError,
} from '@grpc/grpc-js'

/** A gRPC server on loopback. */
export interface GrpcServer extends AsyncDisposable {
  /** `127.0.0.1:<port>` */
  readonly host: string
  /** How many calls it has answered. */
  readonly calls: number
}

/** A client of that server. */
export interface GrpcClient {
  /** Says a text back. */
  say(text: string): Promise<string>
  /** Counts up to a number, a message each. */
  count(to: number): AsyncIterable<string>
  close(): void
}

const json = {
  requestSerialize: (value: unknown) => Buffer.from(JSON.stringify(value)),
  requestDeserialize: (bytes: Buffer): unknown => JSON.parse(bytes.toString()),
  responseSerialize: (value: unknown) => Buffer.from(JSON.stringify(value)),
  responseDeserialize: (bytes: Buffer): unknown => JSON.parse(bytes.toString()),
}

const service: ServiceDefinition = {
  say: { path: '/test.Echo/Say', requestStream: false, responseStream: false, ...json },
  count: { path: '/test.Echo/Count', requestStream: false, responseStream: true, ...json },
}

/** Listens. */
export async function listenGrpc(): Promise<GrpcServer> {
  const server = new Server()
  let calls = 0
  server.addService(service, {
    say(call: { request: string }, callback: (error: null, answer: string) => void) {
      calls += 1
      callback(null, call.request)
    },
    count(call: { request: number; write(text: string): void; end(): void }) {
      calls += 1
      for (let number = 1; number <= call.request; number += 1) call.write(String(number))
      call.end()
    },
  })
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) => (error === null ? resolve(bound) : reject(error)))
  })
  return {
    host: `127.0.0.1:${port}`,
    get calls() {
      return calls
    },
    async [Symbol.asyncDispose]() {
      server.forceShutdown()
    },
  }
}

/** Connects when it is first called, as gRPC's clients do. */
export function createGrpcClient(host: string): GrpcClient {
  interface Generic {
    say(text: string, callback: (error: ServiceError | null, answer: string) => void): void
    count(to: number): AsyncIterable<string>
    close(): void
  }
  const Client = makeGenericClientConstructor(service, 'test.Echo')
  const made: unknown = new Client(host, credentials.createInsecure())
  const client = made as Generic
  return {
    say: (text) =>
      new Promise((resolve, reject) => client.say(text, (error, answer) => (error === null ? resolve(answer) : reject(error)))),
    count: (to) => client.count(to),
    close: () => client.close(),
  }
}
