import { deserialize, type Document, Long, ObjectId, serialize, Timestamp } from 'bson'
import { createServer, type Socket } from 'node:net'

/**
 * A stand-in for `mongod`, which cannot be had from npm or Debian: the primary of a replica set of one, in memory. It speaks `OP_MSG` and knows the
 * commands that the tests of the driver send: equality and comparison in filters, `$set`, `$inc` and `$unset`, cursors, unique indexes, transactions (which it accepts, and
 * rolls back by a copy). Run as a program, it prints its port.
 */
interface Store {
  readonly collections: Map<string, Document[]>
  readonly indexes: Map<string, Document[]>
}

let store: Store = { collections: new Map(), indexes: new Map() }
const cursors = new Map<string, { readonly ns: string; readonly rest: Document[]; readonly waits?: boolean }>()
const transactions = new Map<string, Store>()
let [cursorCount, time] = [Math.floor(Math.random() * 1e6), 1]

class Refused extends Error {
  readonly code: number
  readonly codeName: string
  readonly more: Document

  constructor(code: number, codeName: string, message: string, more: Document = {}) {
    super(message)
    Object.assign(this, { code, codeName, more })
    this.code = code
    this.codeName = codeName
    this.more = more
  }
}

const server = createServer((socket) => {
  let bytes = Buffer.alloc(0)
  socket.on('error', () => undefined)
  socket.on('data', (chunk) => {
    bytes = Buffer.concat([bytes, chunk])
    while (bytes.length >= 4 && bytes.length >= bytes.readInt32LE(0)) {
      const length = bytes.readInt32LE(0)
      hear(socket, bytes.subarray(0, length))
      bytes = bytes.subarray(length)
    }
  })
})

function hear(socket: Socket, message: Buffer): void {
  const [requestId, kind, flags] = [message.readInt32LE(4), message.readInt32LE(12), message.readInt32LE(16)]
  const isQuery = kind === 2004
  const command = isQuery ? deserialize(message.subarray(message.indexOf(0, 20) + 9)) : readSections(message)
  const [name = ''] = Object.keys(command)
  if (name === 'crash' || crashesOnce(command['comment'])) return void socket.destroy()
  const reply = answer(name, command)
  if (!isQuery && (flags & 2) !== 0) return
  const document = serialize(reply)
  const before = isQuery ? Buffer.from([8, ...Buffer.alloc(15), 1, 0, 0, 0]) : Buffer.alloc(5)
  const header = Buffer.alloc(16)
  header.writeInt32LE(16 + before.length + document.length, 0)
  header.writeInt32LE(requestId, 8)
  header.writeInt32LE(isQuery ? 1 : 2013, 12)
  const send = (): unknown => socket.write(Buffer.concat([header, before, document]))
  if (name === 'sleep') setTimeout(send, Number(command['millis']))
  else send()
}

const crashed = new Set<unknown>()

/** A comment `crash …` loses the connection, the first time. */
function crashesOnce(comment: unknown): boolean {
  if (typeof comment !== 'string' || !comment.startsWith('crash') || crashed.has(comment)) return false
  crashed.add(comment)
  return true
}

function readSections(message: Buffer): Document {
  let position = 20
  let command: Document = {}
  const sequences: Document = {}
  while (position < message.length) {
    const kind = message[position]
    const length = message.readInt32LE(position + 1)
    const body = message.subarray(position + 1, position + 1 + length)
    if (kind === 0) command = deserialize(body, { promoteValues: true, promoteLongs: true, promoteBuffers: false, bsonRegExp: true })
    else {
      const end = body.indexOf(0, 4)
      const documents: Document[] = []
      for (let at = end + 1; at < length; at += body.readInt32LE(at))
        documents.push(deserialize(body.subarray(at, at + body.readInt32LE(at))))
      sequences[body.toString('utf8', 4, end)] = documents
    }
    position += 1 + length
  }
  return { ...command, ...sequences }
}

function answer(name: string, command: Document): Document {
  time += 1
  const now = Timestamp.fromBits(1, time)
  const clock = { $clusterTime: { clusterTime: now, signature: { hash: Buffer.alloc(20), keyId: Long.ZERO } }, operationTime: now }
  try {
    const run = commands[name]
    if (run === undefined) throw new Refused(59, 'CommandNotFound', `no such command: '${name}'`)
    if (command['startTransaction'] === true) begin(command)
    return { ...run(command, `${String(command['$db'])}.${String(command[name])}`), ok: 1, ...clock }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return { ok: 0, errmsg: error.message, code: error.code, codeName: error.codeName, ...error.more, ...clock }
  }
}

const sessionOf = (command: Document): string => String((command['lsid'] as Document)['id'])

function begin(command: Document): void {
  const copy = (map: Map<string, Document[]>): Map<string, Document[]> =>
    new Map([...map].map(([key, list]) => [key, list.map((each) => ({ ...each }))]))
  transactions.set(sessionOf(command), { collections: copy(store.collections), indexes: copy(store.indexes) })
}

const hello = (): Document => ({
  ismaster: true,
  isWritablePrimary: true,
  helloOk: true,
  setName: 'rs0',
  setVersion: 1,
  hosts: [`127.0.0.1:${port()}`],
  primary: `127.0.0.1:${port()}`,
  me: `127.0.0.1:${port()}`,
  maxBsonObjectSize: 16_777_216,
  maxMessageSizeBytes: 48_000_000,
  maxWriteBatchSize: 100_000,
  localTime: new Date(),
  logicalSessionTimeoutMinutes: 30,
  connectionId: 1,
  minWireVersion: 0,
  maxWireVersion: 25,
})

const commands: Readonly<Record<string, (command: Document, ns: string) => Document>> = {
  hello,
  ismaster: hello,
  isMaster: hello,
  ping: () => ({}),
  sleep: () => ({}),
  endSessions: () => ({}),
  buildInfo: () => ({ version: '8.0.0' }),
  commitTransaction: (command) => {
    transactions.delete(sessionOf(command))
    return {}
  },
  abortTransaction: (command) => {
    store = transactions.get(sessionOf(command)) ?? store
    transactions.delete(sessionOf(command))
    return {}
  },
  killCursors: (command) => {
    for (const id of command['cursors'] as unknown[]) cursors.delete(String(id))
    return { cursorsKilled: command['cursors'] }
  },
  insert: (command, ns) => insert(ns, command['documents'] as Document[], command['ordered'] !== false),
  find: (command, ns) => {
    const { filter = {}, sort, skip = 0, limit = 0, projection } = command
    const sorted = sortBy(
      documentsOf(ns).filter((each) => matches(each, filter as Document)),
      sort as Document | undefined,
    )
    const chosen = sorted.slice(Number(skip), Number(limit) === 0 ? undefined : Number(skip) + Math.abs(Number(limit)))
    return cursorOf(
      ns,
      chosen.map((each) => project(each, projection as Document | undefined)),
      Number(command['batchSize'] ?? 101),
      command['singleBatch'] === true,
    )
  },
  getMore: (command) => {
    const id = String(command['getMore'])
    const cursor = cursors.get(id)
    if (cursor === undefined) throw new Refused(43, 'CursorNotFound', `cursor id ${id} not found`)
    const nextBatch = cursor.rest.splice(0, Number(command['batchSize'] ?? 1e6))
    if (cursor.rest.length === 0 && cursor.waits !== true) cursors.delete(id)
    return { cursor: { nextBatch, id: cursors.has(id) ? Long.fromString(id) : Long.ZERO, ns: cursor.ns } }
  },
  update: (command, ns) => {
    const result = { n: 0, nModified: 0 }
    const [upserted, writeErrors]: Document[][] = [[], []]
    for (const [index, update] of (command['updates'] as Document[]).entries()) {
      try {
        const { q, u, multi, upsert } = update
        const found = documentsOf(ns)
          .filter((each) => matches(each, q as Document))
          .slice(0, multi === true ? undefined : 1)
        if (found.length === 0 && upsert === true) {
          const id: unknown = (q as Document)['_id'] ?? new ObjectId()
          documentsOf(ns).push(change({ _id: id, ...(q as Document) }, u as Document))
          upserted?.push({ index, _id: id })
          result.n += 1
        }
        for (const each of found) {
          Object.assign(each, change(each, u as Document))
          result.n += 1
          result.nModified += 1
        }
      } catch (error) {
        if (!(error instanceof Refused)) throw error
        writeErrors?.push({ index, code: error.code, errmsg: error.message })
      }
    }
    return { ...result, ...(upserted?.length === 0 ? {} : { upserted }), ...(writeErrors?.length === 0 ? {} : { writeErrors }) }
  },
  delete: (command, ns) => {
    let n = 0
    for (const { q, limit } of command['deletes'] as Document[]) {
      const found = documentsOf(ns)
        .filter((each) => matches(each, q as Document))
        .slice(0, Number(limit) === 0 ? undefined : 1)
      store.collections.set(
        ns,
        documentsOf(ns).filter((each) => !found.includes(each)),
      )
      n += found.length
    }
    return { n }
  },
  findAndModify: (command, ns) => {
    const [found] = sortBy(
      documentsOf(ns).filter((each) => matches(each, command['query'] as Document)),
      command['sort'] as Document | undefined,
    )
    const before = found && { ...found }
    if (found !== undefined && command['remove'] === true)
      store.collections.set(
        ns,
        documentsOf(ns).filter((each) => each !== found),
      )
    else if (found !== undefined) Object.assign(found, change(found, command['update'] as Document))
    return {
      lastErrorObject: { n: found === undefined ? 0 : 1, updatedExisting: found !== undefined },
      value: (command['new'] === true ? found : before) ?? null,
    }
  },
  aggregate: (command, ns) => {
    const stages = command['pipeline'] as Document[]
    if (stages[0]?.['$changeStream'] !== undefined) return waitingCursor(ns)
    let documents = documentsOf(ns)
    for (const stage of stages) documents = apply(documents, stage)
    return cursorOf(ns, documents, Number((command['cursor'] as Document)['batchSize'] ?? 101), false)
  },
  count: (_command, ns) => ({ n: documentsOf(ns).length }),
  distinct: (command, ns) => ({
    values: [
      ...new Set(
        documentsOf(ns)
          .filter((each) => matches(each, command['query'] as Document))
          .map((each) => each[String(command['key'])] as unknown),
      ),
    ],
  }),
  createIndexes: (command, ns) => {
    const before = indexesOf(ns).length
    for (const index of command['indexes'] as Document[]) indexesOf(ns).push(index)
    return { numIndexesBefore: before, numIndexesAfter: indexesOf(ns).length, createdCollectionAutomatically: false }
  },
  listIndexes: (_command, ns) => cursorOf(ns, indexesOf(ns), 101, false),
  drop: (_command, ns) => {
    if (!store.collections.delete(ns)) throw new Refused(26, 'NamespaceNotFound', 'ns not found')
    return { ns }
  },
  create: () => ({}),
  dropDatabase: () => ({}),
  listCollections: (command) => {
    const names = [...store.collections.keys()].filter((ns) => ns.startsWith(`${String(command['$db'])}.`))
    return cursorOf(
      'cmd',
      names.map((ns) => ({ name: ns.slice(ns.indexOf('.') + 1), type: 'collection', options: {}, info: { readOnly: false } })),
      101,
      false,
    )
  },
  bulkWrite: (command) => {
    const spaces = command['nsInfo'] as Document[]
    const rows = (command['ops'] as Document[]).map((operation, idx) => {
      insert(String(spaces[Number(operation['insert'])]?.['ns']), [operation['document'] as Document], true)
      return { ok: 1, idx, n: 1 }
    })
    return {
      nErrors: 0,
      nInserted: rows.length,
      nUpserted: 0,
      nMatched: 0,
      nModified: 0,
      nDeleted: 0,
      cursor: { id: Long.ZERO, firstBatch: rows, ns: 'admin.$cmd.bulkWrite' },
    }
  },
}

function documentsOf(ns: string): Document[] {
  const documents = store.collections.get(ns) ?? []
  store.collections.set(ns, documents)
  return documents
}

function indexesOf(ns: string): Document[] {
  const indexes = store.indexes.get(ns) ?? [{ v: 2, key: { _id: 1 }, name: '_id_', unique: true }]
  store.indexes.set(ns, indexes)
  return indexes
}

function insert(ns: string, documents: readonly Document[], isOrdered: boolean): Document {
  const writeErrors: Document[] = []
  let n = 0
  for (const [index, each] of documents.entries()) {
    const broken = indexesOf(ns).find(({ unique, key }) => {
      const fields = Object.keys(key as Document)
      return unique === true && documentsOf(ns).some((other) => fields.every((field) => isEqual(other[field], each[field])))
    })
    if (broken === undefined) {
      documentsOf(ns).push(each)
      n += 1
      continue
    }
    const keyValue = Object.fromEntries(Object.keys(broken['key'] as Document).map((field) => [field, each[field] as unknown]))
    const errmsg = `E11000 duplicate key error collection: ${ns} index: ${String(broken['name'])} dup key: ${JSON.stringify(keyValue)}`
    writeErrors.push({ index, code: 11_000, errmsg, keyPattern: broken['key'], keyValue })
    if (isOrdered) break
  }
  return { n, ...(writeErrors.length === 0 ? {} : { writeErrors }) }
}

function cursorOf(ns: string, documents: readonly Document[], batchSize: number, isSingle: boolean): Document {
  const firstBatch = documents.slice(0, batchSize)
  const rest = documents.slice(batchSize)
  if (rest.length === 0 || isSingle) return { cursor: { firstBatch, id: Long.ZERO, ns } }
  cursorCount += 1
  cursors.set(String(cursorCount), { ns, rest })
  return { cursor: { firstBatch, id: Long.fromNumber(cursorCount), ns } }
}

function waitingCursor(ns: string): Document {
  cursorCount += 1
  cursors.set(String(cursorCount), { ns, waits: true, rest: [{ _id: { _data: '1' }, operationType: 'insert', fullDocument: { _id: 1 } }] })
  return { cursor: { firstBatch: [], id: Long.fromNumber(cursorCount), ns } }
}

const comparisons: Readonly<Record<string, (value: unknown, wanted: never) => boolean>> = {
  $eq: (value, wanted) => isEqual(value, wanted),
  $gt: (value, wanted) => (value as number) > wanted,
  $gte: (value, wanted) => (value as number) >= wanted,
  $lt: (value, wanted) => (value as number) < wanted,
  $lte: (value, wanted) => (value as number) <= wanted,
  $ne: (value, wanted) => !isEqual(value, wanted),
  $in: (value, wanted: unknown[]) => wanted.some((each) => isEqual(value, each)),
  $exists: (value, wanted) => (value !== undefined) === wanted,
}

function matches(document: Document, filter: Document): boolean {
  return Object.entries(filter).every(([field, wanted]: [string, unknown]) => {
    if (field === '$or') return (wanted as Document[]).some((each) => matches(document, each))
    if (field.startsWith('$')) throw new Refused(2, 'BadValue', `unknown top level operator: ${field}`)
    const value = field.split('.').reduce<unknown>((part, name) => (part as Document | undefined)?.[name], document)
    const [operator] = typeof wanted === 'object' && wanted !== null ? Object.keys(wanted) : []
    if (operator?.startsWith('$') !== true) return isEqual(value, wanted)
    return Object.entries(wanted as Document).every(([name, operand]) => {
      const compare = comparisons[name]
      if (compare === undefined) throw new Refused(2, 'BadValue', `unknown operator: ${name}`)
      return compare(value, operand as never)
    })
  })
}

function isEqual(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' && typeof other !== 'object') return one === other
  return Buffer.compare(serialize({ value: one ?? null }), serialize({ value: other ?? null })) === 0
}

function change(document: Document, update: Document): Document {
  const changed = { ...document }
  for (const [operator, fields] of Object.entries(update) as [string, Document][]) {
    if (!operator.startsWith('$')) return { _id: document['_id'], ...update }
    for (const [field, value] of Object.entries(fields) as [string, unknown][]) {
      if (operator === '$set' || operator === '$setOnInsert') changed[field] = value
      else if (operator === '$inc') changed[field] = Number(changed[field] ?? 0) + Number(value)
      else if (operator === '$unset') delete changed[field]
      else throw new Refused(9, 'FailedToParse', `Unknown modifier: ${operator}`)
    }
  }
  return changed
}

function sortBy(documents: readonly Document[], sort: Document = {}): Document[] {
  const keys = Object.entries(sort) as [string, number][]
  return documents.toSorted((one, other) => {
    for (const [field, direction] of keys) {
      if (one[field] === other[field]) continue
      return (one[field] as never) < (other[field] as never) ? -direction : direction
    }
    return 0
  })
}

function project(document: Document, projection: Document = {}): Document {
  const wanted = Object.entries(projection)
    .filter(([, value]) => Boolean(value))
    .map(([field]) => field)
  if (wanted.length === 0) return document
  return Object.fromEntries(
    Object.entries(document).filter(([field]) => wanted.includes(field) || (field === '_id' && projection['_id'] !== 0)),
  )
}

function apply(documents: readonly Document[], stage: Document): Document[] {
  const [[name, value] = ['', undefined]] = Object.entries(stage) as [string, unknown][]
  if (name === '$match') return documents.filter((each) => matches(each, value as Document))
  if (name === '$sort') return sortBy(documents, value as Document)
  if (name === '$limit') return documents.slice(0, Number(value))
  if (name === '$skip') return documents.slice(Number(value))
  if (name === '$group') {
    const { _id, ...sums } = value as Document
    const groups = Map.groupBy(documents, (each) => (typeof _id === 'string' ? (each[_id.slice(1)] as unknown) : _id))
    return [...groups].map(([key, group]) => ({
      _id: key,
      ...Object.fromEntries(
        Object.entries(sums).map(([field, sum]) => {
          const of: unknown = (sum as Document)['$sum']
          return [field, group.reduce((total, each) => total + Number(typeof of === 'string' ? each[of.slice(1)] : of), 0)]
        }),
      ),
    }))
  }
  throw new Refused(40_324, 'Location40324', `Unrecognized pipeline stage name: '${name}'`)
}

function port(): number {
  return (server.address() as { readonly port: number }).port
}

// It ends with whoever started it.
process.stdin.resume().on('end', () => process.exit())
server.listen(0, '127.0.0.1', () => process.stdout.write(`${port()}\n`))
