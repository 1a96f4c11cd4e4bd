import { knownOrMade } from '../../../trace/remember.ts'
import { runBelow, type Scope } from '../../../run/scope.ts'
import { Arrival } from '../../arrival.ts'
import { answerDriverCall, recordDriverCall } from '../driver-call.ts'
import { readBson } from './bson-reader.ts'
import { writeBson } from './bson-writer.ts'
import { type AskedCommand, keepReply, longOf, meetReply, mongoCall, nameOf, openCursorOf, opensChangeStream } from './mongo-call.ts'
import type { MongoReply } from './mongo-connection.ts'

/** The step of a command while the command waits for a connection and is sent. */
export interface CommandStep {
  /** The name of the command: a connection sends other commands of its own first. */
  readonly name: string
  /** Recording: is notified of a reply before the driver gets it. */
  readonly hear?: (reply: MongoReply) => void
  /** Replaying: the reply, as BSON. */
  readonly reply?: Promise<Uint8Array>
}

type Command = () => Promise<unknown>

/**
 * Makes a command a step where the driver requests it from a server: when a connection is free depends on other runs.
 *
 * @param address The server's address.
 */
export function stepOfCommand(scope: Scope, asked: AskedCommand, address: string, command: Command): Promise<unknown> {
  const name = nameOf(asked.command)
  const go = (step: CommandStep): Promise<unknown> => runBelow(scope, { step }, command)
  const isUpkeep = name === 'endSessions' || name === 'killCursors'
  const { run } = scope
  if (run.mode === 'record') {
    if (isUpkeep) return go({ name })
    return followsChanges(run, name, asked) ? followChanges(scope, name, go) : record(scope, asked, go)
  }
  if (isUpkeep) return go({ name, reply: Promise.resolve(writeBson({ ok: 1 })) })
  if (opensChangeStream(asked.command)) return Promise.reject(run.refuseContact(scope.owner, 'mongodb watch', address))
  return answer(scope, asked, go)
}

function record(scope: Scope, asked: AskedCommand, go: (step: CommandStep) => Promise<unknown>): Promise<unknown> {
  const arrival = new Arrival()
  const step: CommandStep = {
    name: nameOf(asked.command),
    hear: (reply) => settle(arrival, keepReply(scope.run, readBson(reply.toBytes()))),
  }
  const result = recordDriverCall(scope, mongoCall(scope.run, asked), arrival, () => go(step))
  // Before the driver can notify the agent. An unreadable reply counts as an empty success.
  result.then(
    () => arrival.settle({ ok: 1 }),
    (error: unknown) => arrival.fail(error),
  )
  return result
}

/** A command that the server refused fails, and its error keeps the reply. */
function settle(arrival: Arrival, kept: Record<string, unknown>): void {
  if (kept['ok'] === 1) return arrival.settle(kept)
  const { errmsg, code, codeName } = kept
  arrival.fail(Object.assign(new Error(String(errmsg)), { name: 'MongoServerError', code, codeName, reply: kept }))
}

function answer(scope: Scope, asked: AskedCommand, go: (step: CommandStep) => Promise<unknown>): Promise<unknown> {
  const answered = answerDriverCall(scope, mongoCall(scope.run, asked))
  const reply = answered.catch(refusedReply).then((kept) => {
    meetReply(scope.run, kept as Record<string, unknown>)
    return writeBson(kept as object)
  })
  // If the driver finds no connection for it, nothing awaits the reply.
  reply.catch(() => undefined)
  return go({ name: nameOf(asked.command), reply })
}

/** Returns the reply to a command that the server refused. */
function refusedReply(error: unknown): object {
  const reply: unknown = typeof error === 'object' && error !== null && 'reply' in error ? error.reply : undefined
  if (typeof reply !== 'object' || reply === null) throw error
  return reply
}

/** The cursors of each run's change streams. */
const changes = new WeakMap<object, Set<string>>()

function followsChanges(run: object, name: string, { command }: AskedCommand): boolean {
  return opensChangeStream(command) || (name === 'getMore' && changes.get(run)?.has(longOf(command[name])) === true)
}

/** A change stream is not a step, since its messages are not answers. */
function followChanges({ run }: Scope, name: string, go: (step: CommandStep) => Promise<unknown>): Promise<unknown> {
  run.note('unrecorded-contact', 'mongodb watch')
  const open = knownOrMade(changes, run, () => new Set())
  return go({
    name,
    hear: (reply) => {
      const id = openCursorOf(readBson(reply.toBytes()))
      if (id !== undefined) open.add(id)
    },
  })
}
