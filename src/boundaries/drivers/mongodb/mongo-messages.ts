import { BsonReader } from './bson-reader.ts'
import { writeBson } from './bson-writer.ts'

/** The kinds of messages. Source: MongoDB's manual, "MongoDB Wire Protocol". */
const opReply = 1
const opQuery = 2004
const opMessage = 2013
/** The client expects no answer. */
const moreToCome = 2

/** A command that a client sends, as extended JSON. */
export interface SentCommand {
  readonly requestId: number
  readonly command: Record<string, unknown>
  /** Sent like the first command of a connection before MongoDB 3.6, and has to be answered in the same way. */
  readonly isQuery: boolean
  readonly isAnswered: boolean
}

/** Reads one message of a client: a query or an `OP_MSG`. Undefined for another kind. */
export function readCommand(message: Buffer): SentCommand | undefined {
  const reader = new BsonReader(message)
  reader.signed(4)
  const requestId = reader.signed(4)
  reader.signed(4)
  const kind = reader.signed(4)
  const flags = reader.signed(4)
  if (kind === opQuery) {
    reader.name()
    reader.bytes(8)
    return { requestId, command: reader.document(), isQuery: true, isAnswered: true }
  }
  if (kind !== opMessage) return undefined
  return { requestId, command: readSections(reader), isQuery: false, isAnswered: (flags & moreToCome) === 0 }
}

/** The document of a command, with the document sequences next to it. */
function readSections(reader: BsonReader): Record<string, unknown> {
  const command: Record<string, unknown> = {}
  while (reader.left > 4) {
    if (reader.int(1) === 0) Object.assign(command, reader.document())
    else {
      const end = reader.left - reader.signed(4)
      const name = reader.name()
      const documents: unknown[] = []
      while (reader.left > end) documents.push(reader.document())
      command[name] = documents
    }
  }
  return command
}

/** The length of the message at the start of some bytes; undefined if there are too few bytes. */
export function lengthOfMessage(bytes: Buffer): number | undefined {
  return bytes.length < 4 ? undefined : Math.max(bytes.readInt32LE(0), 16)
}

/** The message that answers a command. */
export function replyMessage({ requestId, isQuery }: SentCommand, reply: object): Buffer {
  const document = writeBson(reply)
  // Before the document, a reply to a query has flags, a cursor, a place in it, and the number of documents; an `OP_MSG` has flags and a kind of section.
  const before = isQuery ? Buffer.from([...Buffer.alloc(16), 1, 0, 0, 0]) : Buffer.alloc(5)
  const header = Buffer.alloc(16)
  header.writeInt32LE(header.length + before.length + document.length, 0)
  header.writeInt32LE(requestId, 8)
  header.writeInt32LE(isQuery ? opReply : opMessage, 12)
  return Buffer.concat([header, before, document])
}
