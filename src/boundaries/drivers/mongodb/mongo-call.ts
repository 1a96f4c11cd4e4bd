import type { Effect } from '../../../trace/boundary.ts'
import { omitUndefined } from '../../../trace/json.ts'
import { knownOrMade } from '../../../trace/remember.ts'
import type { DriverCall } from '../driver-call.ts'
import { numberedInRuns } from '../sessions-of-run.ts'

/** Fields that differ from run to run or are the driver's own: sessions, clusters, retries and read preferences depend on the deployment. */
const ownFields: ReadonlySet<string> = new Set([
  '$db',
  'lsid',
  '$clusterTime',
  '$readPreference',
  'txnNumber',
  'startTransaction',
  'autocommit',
  'recoveryToken',
])

/** Fields of a reply that differ from run to run. */
const ownReplyFields: ReadonlySet<string> = new Set(['$clusterTime', 'operationTime', 'lsid', '$gleStats', 'electionId', 'opTime'])

/** Commands that change nothing. Source: MongoDB's manual, "Database Commands". */
const reading =
  /^(?:find|getMore|aggregate|count|distinct|explain|list\w+|db\w*stats|collstats|serverStatus|buildInfo|connectionStatus|hello|is[mM]aster|ping|hostInfo|getParameter|getCmdLineOpts|getLog|validate|dataSize|top|whatsmyuri|replSetGet\w+|usersInfo|rolesInfo|currentOp|commitTransaction|abortTransaction)$/i

/** Commands whose first field does not name a collection. */
const withoutCollection: ReadonlySet<string> = new Set(['getMore', 'explain', 'renameCollection'])

/** A command as the driver will send it. */
export interface AskedCommand {
  readonly database: string
  /** Extended JSON. */
  readonly command: Record<string, unknown>
  /** The transaction that it is part of, as the driver's object. */
  readonly transaction: object | undefined
}

/** The name of a command: its first field. */
export function nameOf(command: object): string {
  return Object.keys(command)[0] ?? 'command'
}

/** A command as a step. */
export function mongoCall(run: object, { database, command, transaction }: AskedCommand): DriverCall {
  const name = nameOf(command)
  const target = targetOf(run, name, database, command)
  const kept = Object.entries(command).filter(([field]) => field !== name && !(field in target) && !ownFields.has(field))
  const fields = Object.fromEntries(kept.map(([field, value]) => [field, field === 'readConcern' ? withoutTime(value) : value]))
  const number = transaction && numberOfTransaction(run, transaction)
  return { name: `mongodb ${name}`, effect: effectOf(name, command), input: omitUndefined({ ...target, ...fields, transaction: number }) }
}

/** The target of a command: a collection, the next batch of a cursor, or a database. */
function targetOf(run: object, name: string, database: string, command: Record<string, unknown>): Record<string, unknown> {
  const first = command[name]
  if (name === 'getMore') return { collection: `${database}.${String(command['collection'])}`, cursor: numberOfCursor(run, first) }
  if (typeof first === 'string' && !withoutCollection.has(name)) return { collection: `${database}.${first}` }
  return first === 1 ? { database } : { database, [name]: first }
}

/** Removes the cluster time by which a session's reads wait for its writes. */
function withoutTime(readConcern: unknown): unknown {
  if (typeof readConcern !== 'object' || readConcern === null || !('afterClusterTime' in readConcern)) return readConcern
  const { afterClusterTime: _, ...rest } = readConcern
  return Object.keys(rest).length === 0 ? undefined : rest
}

function effectOf(name: string, { pipeline }: Record<string, unknown>): Effect {
  const stages = name === 'aggregate' && Array.isArray(pipeline) ? pipeline : []
  const writes = stages.some((stage: unknown) => typeof stage === 'object' && stage !== null && ('$out' in stage || '$merge' in stage))
  return reading.test(name) && !writes ? 'read' : 'write'
}

/** Whether a command opens a change stream, whose messages are not answers. */
export function opensChangeStream({ pipeline }: Record<string, unknown>): boolean {
  const first: unknown = Array.isArray(pipeline) ? pipeline[0] : undefined
  return typeof first === 'object' && first !== null && '$changeStream' in first
}

/** The number of a transaction within its run. */
const numberOfTransaction = numberedInRuns()

/** The cursors that a run has used, numbered in order of first use: the server generates their ids. */
const cursors = new WeakMap<object, Map<string, number>>()

function cursorsOf(run: object): Map<string, number> {
  return knownOrMade(cursors, run, () => new Map())
}

function numberOfCursor(run: object, id: unknown): number {
  const numbers = cursorsOf(run)
  return knownOrMade(numbers, longOf(id), () => numbers.size + 1)
}

/** A 64-bit integer, which a client may also send as a 32-bit one. */
export function longOf(id: unknown): string {
  return typeof id === 'object' && id !== null && '$numberLong' in id ? String(id.$numberLong) : String(id)
}

/** The id of the cursor that a reply leaves open; undefined if there is none. */
export function openCursorOf({ cursor }: Record<string, unknown>): string | undefined {
  if (typeof cursor !== 'object' || cursor === null || !('id' in cursor)) return undefined
  const id = longOf(cursor.id)
  return id === '0' ? undefined : id
}

/** A reply as a step keeps it: with the number of its cursor, and without fields that differ from run to run. */
export function keepReply(run: object, reply: Record<string, unknown>): Record<string, unknown> {
  const kept = Object.fromEntries(Object.entries(reply).filter(([field]) => !ownReplyFields.has(field)))
  const { ok, cursor } = kept
  // Servers write `ok` as a double.
  if (typeof ok === 'object' && ok !== null && '$numberDouble' in ok) kept['ok'] = Number(ok.$numberDouble)
  if (openCursorOf(reply) === undefined) return kept
  const { id } = cursor as { readonly id: unknown }
  return { ...kept, cursor: { ...(cursor as object), id: { $numberLong: String(numberOfCursor(run, id)) } } }
}

/** Notes that a kept reply is passed to the driver: its cursors are known by their numbers, which serve as ids there. */
export function meetReply(run: object, reply: Record<string, unknown>): void {
  const id = openCursorOf(reply)
  if (id !== undefined) cursorsOf(run).set(id, Number(id))
}
