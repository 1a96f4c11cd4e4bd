/** A driver that is tried. */
export interface TriedDriver {
  /** Its program in this folder, without the ending. */
  readonly program: string
  /** Its package; undefined for what Node has. */
  readonly package?: string
  /** How the page calls it. Default: its package. */
  readonly label?: string
  /** Newest first. */
  readonly versions: readonly string[]
  /** Native code may be of one version of Node, so each has an installation of its own. */
  readonly isNative?: true
  /** What else its flows need. */
  readonly others?: readonly string[]
}

/** The drivers, in released versions. What a package has to be compiled for is not tried: better-sqlite3 before 13 has no native code of its own. */
export const triedDrivers: readonly TriedDriver[] = [
  { program: 'pg', package: 'pg', versions: ['8.23.1', '8.16.3', '8.11.6', '8.7.3'], others: ['pg-cursor', 'pg-query-stream'] },
  { program: 'postgres', package: 'postgres', versions: ['3.4.9', '3.4.5', '3.3.5'] },
  { program: 'ioredis', package: 'ioredis', versions: ['6.0.0', '5.11.1', '5.4.2', '5.0.6'] },
  { program: 'redis', package: 'redis', versions: ['6.3.1', '5.12.1', '4.7.1'] },
  { program: 'mysql2', package: 'mysql2', versions: ['3.24.6', '3.11.5', '3.6.5', '2.3.3'] },
  { program: 'mongodb', package: 'mongodb', versions: ['7.9.0', '7.0.0', '6.22.0', '6.6.2', '5.9.2'] },
  { program: 'libsql', package: 'libsql', isNative: true, versions: ['0.5.29', '0.4.7'] },
  { program: 'libsql-client', package: '@libsql/client', isNative: true, versions: ['0.18.0', '0.15.15', '0.14.0'] },
  { program: 'better-sqlite3', package: 'better-sqlite3', isNative: true, versions: ['13.2.0', '13.1.1', '13.0.3'] },
  { program: 'node-sqlite', versions: ['its own'] },
]

/** The clients of gRPC, HTTP/2 and WebSockets, in released versions. */
export const triedClients: readonly TriedDriver[] = [
  { program: 'channels/grpc-js', package: '@grpc/grpc-js', versions: ['1.14.7', '1.11.3', '1.8.22'] },
  {
    program: 'channels/connect-node',
    package: '@connectrpc/connect-node',
    versions: ['2.3.0', '2.0.4'],
    others: ['@bufbuild/protobuf@2'],
  },
  {
    program: 'channels/connect-node',
    package: '@connectrpc/connect-node',
    versions: ['1.7.0'],
    others: ['@bufbuild/protobuf@1'],
  },
  {
    program: 'channels/bedrock',
    package: '@aws-sdk/client-bedrock-runtime',
    versions: ['3.1164.0', '3.1000.0', '3.840.0'],
    others: ['@smithy/node-http-handler'],
  },
  { program: 'channels/qdrant', package: '@qdrant/js-client-grpc', versions: ['1.19.0'] },
  { program: 'channels/weaviate', package: 'weaviate-client', versions: ['3.14.0'] },
  { program: 'channels/ws', package: 'ws', versions: ['8.23.0', '8.18.3', '8.13.0'] },
  { program: 'channels/undici', package: 'undici', label: 'undici, its WebSocket', versions: ['8.13.1', '7.30.2', '6.29.1'] },
  { program: 'channels/node-websocket', label: 'the global WebSocket', versions: ['its own'] },
  {
    program: 'channels/openai-realtime',
    package: 'openai',
    label: 'openai, its Realtime client',
    versions: ['7.57.0', '6.49.0', '5.23.2'],
    others: ['ws'],
  },
  {
    program: 'channels/google-genai',
    package: '@google/genai',
    label: '@google/genai, its Live client',
    versions: ['3.3.0', '2.32.0', '1.52.0'],
  },
]
