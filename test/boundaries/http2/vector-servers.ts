import { type DescMethod, type DescService, fromBinary, type Message, toBinary } from '@bufbuild/protobuf'
import { type handleUnaryCall, Server, ServerCredentials, type ServiceDefinition, type UntypedServiceImplementation } from '@grpc/grpc-js'
import { pathToFileURL } from 'node:url'
import { createRequire } from 'node:module'
import path from 'node:path'

/** A server of gRPC that counts its calls. */
export interface VectorServer extends AsyncDisposable {
  readonly port: number
  readonly calls: number
  stop(): void
}

/** What a call is answered. */
export type Answer = { readonly value: object } | { readonly error: { readonly code: number; readonly details: string } }

/** What each method of a service answers; undefined where it never does. */
type Handlers = Readonly<Record<string, (request: never) => Answer | undefined>>

/** A file of a package, also one that the package does not export. */
async function loadOf(name: string, file: string): Promise<Record<string, unknown>> {
  const entry = createRequire(import.meta.url).resolve(name)
  const root = entry.slice(0, entry.indexOf(path.normalize(name)) + name.length)
  return (await import(pathToFileURL(path.join(root, file)).href)) as Record<string, unknown>
}

/** A service by the definition that Qdrant's client ships. */
export async function qdrantService(file: string, name: string): Promise<ServiceDefinition> {
  const service = (await loadOf('@qdrant/js-client-grpc', `dist/esm/proto/${file}_pb.js`))[name] as DescService
  return Object.fromEntries(service.methods.map((method) => [method.name, methodOf(service, method)]))
}

function methodOf(service: DescService, { name, input, output }: DescMethod): ServiceDefinition[string] {
  return {
    path: `/${service.typeName}/${name}`,
    requestStream: false,
    responseStream: false,
    requestSerialize: (value: Message) => Buffer.from(toBinary(input, value)),
    requestDeserialize: (bytes) => fromBinary(input, bytes),
    responseSerialize: (value: Message) => Buffer.from(toBinary(output, value)),
    responseDeserialize: (bytes) => fromBinary(output, bytes),
  }
}

/** How nice-grpc describes a method: with the codecs that ts-proto has generated. */
interface NiceMethod {
  readonly name: string
  readonly requestType: NiceType
  readonly responseType: NiceType
  readonly requestStream: boolean
  readonly responseStream: boolean
}

interface NiceType {
  encode(value: unknown): { finish(): Uint8Array }
  decode(bytes: Uint8Array): unknown
  fromPartial(value: object): unknown
}

/** A service by the definition that Weaviate's client ships. */
export async function weaviateService(file: string, name: string): Promise<ServiceDefinition> {
  const definition = (await loadOf('weaviate-client', `dist/node/esm/proto/${file}.js`))[name] as {
    readonly fullName: string
    readonly methods: Readonly<Record<string, NiceMethod>>
  }
  return Object.fromEntries(
    Object.values(definition.methods).map((method) => [
      method.name,
      {
        path: `/${definition.fullName}/${method.name}`,
        requestStream: method.requestStream,
        responseStream: method.responseStream,
        requestSerialize: (value) => Buffer.from(method.requestType.encode(value).finish()),
        requestDeserialize: (bytes) => method.requestType.decode(bytes),
        responseSerialize: (value: object) => Buffer.from(method.responseType.encode(method.responseType.fromPartial(value)).finish()),
        responseDeserialize: (bytes) => method.responseType.decode(bytes),
      },
    ]),
  )
}

/** Listens. @param services Each with what it answers. */
export async function listenVectors(services: readonly (readonly [ServiceDefinition, Handlers])[]): Promise<VectorServer> {
  const server = new Server()
  let calls = 0
  for (const [definition, handlers] of services) {
    const counted: UntypedServiceImplementation = {}
    for (const [name, handle] of Object.entries(handlers)) {
      const answer: handleUnaryCall<unknown, object> = ({ request }, callback) => {
        calls += 1
        const answered = handle(request as never)
        if (answered !== undefined && 'error' in answered) callback(answered.error)
        else if (answered !== undefined) callback(null, answered.value)
      }
      counted[name] = answer
    }
    server.addService(definition, counted)
  }
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) => (error === null ? resolve(bound) : reject(error)))
  })
  const stop = (): void => server.forceShutdown()
  return {
    port,
    get calls() {
      return calls
    },
    stop,
    async [Symbol.asyncDispose]() {
      stop()
    },
  }
}
