import { toExtendedJson, type WriteOptions } from './command-values.ts'
import { type AskedCommand, nameOf } from './mongo-call.ts'
import type { CommandOptions, MongoNamespace, MongoOperation, MongoServerHandle, MongoSession } from './mongo-connection.ts'
import { defineOwn } from '../../patches.ts'

/** The command that a server is asked for; undefined if it cannot be read, which the driver itself reports to the agent. */
export function readAsked(server: MongoServerHandle, args: readonly unknown[]): AskedCommand | undefined {
  try {
    const [first, command, options] = args
    if (isOperation(first)) {
      const { ns, session } = first
      return describe(ns, buildOnce(first, server), session, { ...first.bsonOptions, ...first.options })
    }
    const { session, ...rest } = options as CommandOptions
    return describe(first as MongoNamespace, command as object, session, rest)
  } catch {
    return undefined
  }
}

function isOperation(value: unknown): value is MongoOperation {
  return typeof value === 'object' && value !== null && 'buildCommand' in value && typeof value.buildCommand === 'function'
}

/** Limits of every server since MongoDB 3.6. */
const limits = { maxBsonObjectSize: 16_777_216, maxMessageSizeBytes: 48_000_000, maxWriteBatchSize: 100_000 }

/**
 * Makes an operation build its command before it has a connection: when it gets one depends on other runs. The operation then sends this
 * command, since an operation too large for one command builds the next command each time.
 */
function buildOnce(operation: MongoOperation, { description, loadBalanced, serverApi }: MongoServerHandle): object {
  const { maxWireVersion, minWireVersion } = description
  const connection = { loadBalanced, serverApi, description: { ...limits, loadBalanced, maxWireVersion, minWireVersion } }
  const command = operation.buildCommand(connection, operation.session)
  defineOwn(operation, 'buildCommand', (): object => {
    Reflect.deleteProperty(operation, 'buildCommand')
    return command
  })
  return command
}

function describe({ db }: MongoNamespace, command: object, session: MongoSession | undefined, options: WriteOptions): AskedCommand {
  const isEnd = /^(?:commit|abort)Transaction$/.test(nameOf(command))
  const transaction = session !== undefined && (isEnd || session.inTransaction()) ? session.transaction : undefined
  const written = toExtendedJson(command, { ignoreUndefined: options.ignoreUndefined === true }) as Record<string, unknown>
  // Commands leave out fields that are not set.
  const set = Object.entries(written).filter(([field]) => Reflect.get(command, field) !== undefined)
  return { database: db, command: Object.fromEntries(set), transaction }
}
