/** What a database is reached by. */
export interface DriverWorld {
  /** The port of a server on loopback; 0 for a database in a file. */
  readonly port: number
  /** The file of a database, which is not there in a replay. */
  readonly file: string
  /** Loads a package in the version that is tried, or a module of Node. */
  load(name: string): unknown
}

/** What answers a driver. */
export type DriverServer =
  | 'postgres'
  | 'redis'
  | 'mariadb'
  | 'mongo'
  | 'none'
  | 'shop'
  | 'bedrock'
  | 'qdrant'
  | 'weaviate'
  | 'talk'
  | 'live'
  | 'realtime'

/** What is tried of a driver. */
export interface DriverProgram<Client> {
  readonly server: DriverServer
  /** What of its results differs from one time to the next by itself. */
  readonly varies?: RegExp
  open(world: DriverWorld): Client | Promise<Client>
  close(client: Client): unknown
  /** Makes the database what a flow expects it to be. */
  prepare?(client: Client): unknown
  /** Opening is steps of the run that does it, so a client is not tried that was opened before. */
  readonly opensInSteps?: true
  /** Closing is a step of the run that does it. */
  readonly closesInStep?: true
  /** Uses of the driver, by what they show. */
  readonly flows: Readonly<Record<string, (client: Client, world: DriverWorld) => unknown>>
}

/** What an agent may look at of an error. */
export function tellError(error: unknown, Expected: unknown = Error): unknown {
  const { name, message, code, errno, sqlState, detail } = error as Error & Readonly<Record<string, unknown>>
  return [error instanceof (Expected as ErrorConstructor), name, message, code, errno, sqlState, detail]
}

/** What a call fails with. */
export async function failure(call: () => unknown, Expected?: unknown): Promise<unknown> {
  try {
    return ['did not fail', await call()]
  } catch (error) {
    return tellError(error, Expected)
  }
}
