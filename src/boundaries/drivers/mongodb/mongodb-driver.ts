import { currentScope, runOutside, scopeBelow } from '../../../run/scope.ts'
import { markTransport } from '../../contact/known-sockets.ts'
import { isFree } from '../../contact/make-contact.ts'
import { combine, defineOwn, LaterDoors, replaceProperty, type Restore } from '../../patches.ts'
import type { DriverClass } from '../driver.ts'
import { tellQuietly } from '../driver-call.ts'
import { hearCalls, outsideOfRuns, ownWork } from '../driver-work.ts'
import { serverOf } from '../served-connections.ts'
import { answerOverDouble, type Send } from './answer-over-double.ts'
import { readAsked } from './asked-command.ts'
import { writeBson } from './bson-writer.ts'
import { toExtendedJson } from './command-values.ts'
import { isKnownSend, openConnect, openPool, openTopology, openUpkeep } from './deployment-work.ts'
import { nameOf } from './mongo-call.ts'
import type { MongoClient, MongoConnection, MongoMessage, MongoReply, MongoServerHandle } from './mongo-connection.ts'
import { upkeepCommands } from './mongo-server.ts'
import { openObjectIds } from './object-ids.ts'
import { type CommandStep, stepOfCommand } from './step-of-command.ts'

type Replies = AsyncGenerator<MongoReply>

/** The package mongodb, and mongoose, which uses it. Each command is a step. */
export const mongodbDriver: readonly DriverClass[] = [
  { own: ['sendWire', 'sendCommand', 'prepareCommand', 'exhaustCommand', 'writeCommand'], open: openConnection },
  { own: ['checkOut', 'checkIn', 'createConnection', 'processWaitQueue', 'ensureMinPoolSize'], open: openPool },
  { own: ['selectServer', 'serverUpdateHandler', 'detectSrvRecords'], open: openTopology },
  { own: ['command', 'requestCheck', 'handleError', 'decorateCommandError'], open: openServer },
  { own: ['requestCheck', 'reset', 'addRttSample'], open: openUpkeep },
  { own: ['startSession', 'withSession', 'watch', 'db'], open: openClient },
  { own: ['toHexString', 'getTimestamp', 'toJSON', 'equals'], open: openObjectIds },
]

function openConnection(prototype: object): Restore {
  const { sendWire } = prototype as MongoConnection
  return isKnownSend(sendWire) ? replaceProperty(prototype as MongoConnection, 'sendWire', sendDoor) : () => undefined
}

/** Before mongodb 6.6, `command` took three arguments. */
function openServer(prototype: object): Restore {
  const server = prototype as MongoServerHandle
  return server.command.length === 3 ? () => undefined : combine(openUpkeep(prototype), replaceProperty(server, 'command', commandDoor))
}

/** Finds, through a client, classes that are not event emitters. */
function openClient(prototype: object): Restore {
  const doors = new LaterDoors()
  const meet = (value: object | undefined, open: (prototype: object) => Restore): void => {
    const found = value === undefined ? null : (Object.getPrototypeOf(value) as object | null)
    if (found !== null) doors.open(found, open)
  }
  return combine(
    openConnect(prototype),
    hearCalls(prototype, ['db', 'startSession', 'connect'], (client) => {
      const { options, s } = client as MongoClient
      meet(s?.sessionPool, (pool) => ownWork(pool, ['acquire', 'release']))
      meet(
        runOutside(() => options?.pkFactory?.createPk()),
        openObjectIds,
      )
    }),
    doors.shut,
  )
}

/** Where a server is asked for a command. */
function commandDoor(original: MongoServerHandle['command']): MongoServerHandle['command'] {
  return function command(this: MongoServerHandle, ...args) {
    const scope = currentScope()
    const asked = scope && readAsked(this, args)
    const go = (): Promise<unknown> => Reflect.apply(original, this, args)
    return scope === undefined || asked === undefined ? go() : stepOfCommand(scope, asked, String(Reflect.get(this, 'name')), go)
  }
}

/** Where a command is sent. */
function sendDoor(original: MongoConnection['sendWire']): MongoConnection['sendWire'] {
  return function sendWire(this: MongoConnection, message, options, responseType) {
    const send: Send = (connection) => Reflect.apply(original, connection, [message, options, responseType])
    const step = scopeBelow()?.below.step as CommandStep | undefined
    const name = nameOf(message.command ?? {})
    // A new connection sends its own commands first.
    const isStep = step?.name === name && this.hello !== null && this.hello !== undefined
    if ((isStep && step.reply !== undefined) || currentScope() !== undefined) {
      // A command that cannot be encoded fails before it is sent.
      const failure = failureOf(message)
      if (failure !== undefined) return fail(failure.error)
    }
    if (!isStep) return sendOther(this, name, message, send)
    if (step.reply !== undefined) return answerOverDouble(this, step.reply, options.signal, send)
    markTransport(this.socket)
    return step.hear === undefined ? send(this) : hearReplies(send(this), step.hear)
  }
}

/** The error that the driver throws when it writes a command; undefined if it can write it. */
function failureOf(message: MongoMessage): { readonly error: unknown } | undefined {
  try {
    const bytes = message.toBin()
    // Writing takes documents next to a command out of it, so the bytes are kept.
    defineOwn(message, 'toBin', () => bytes)
    return undefined
  } catch (error) {
    return { error }
  }
}

async function* hearReplies(replies: Replies, hear: (reply: MongoReply) => void): Replies {
  for await (const reply of replies) {
    tellQuietly(() => hear(reply))
    yield reply
  }
}

/** Sends commands of the driver itself and of code outside of runs. */
function sendOther(connection: MongoConnection, name: string, message: MongoMessage, send: Send): Replies {
  const below = scopeBelow()
  const isUpkeep = upkeepCommands.has(name)
  if (serverOf(connection.socket) === undefined) {
    // A replay and a guarded process never write to a real connection.
    const isReplayed = below?.run.mode === 'replay'
    if (isUpkeep && (isReplayed || (below === undefined && !isFree()))) return answerUpkeep(connection, name, send)
    if (isReplayed) return fail(below.run.refuseContact(below.owner, 'mongodb', connection.address))
  }
  // A server in memory can only answer these.
  else if (message.command === undefined || isUpkeep) return send(connection)
  return below === undefined ? outsideOfRuns('mongodb', hostOf(connection), () => send(connection), fail) : send(connection)
}

/** A connection in memory has no address; the driver generates one instead. */
function hostOf({ address }: MongoConnection): string {
  return /^[0-9a-f]{32}$/.test(address) ? 'a deployment' : address
}

/** Answers that the server is unchanged. */
function answerUpkeep(connection: MongoConnection, name: string, send: Send): Replies {
  const isHello = /^hello$|^ismaster$/i.test(name)
  const reply = isHello ? (toExtendedJson(connection.hello) as object) : { ok: 1 }
  return answerOverDouble(connection, Promise.resolve(writeBson(reply)), undefined, send)
}

// eslint-disable-next-line require-yield -- It fails like one that yields.
async function* fail(error: unknown): Replies {
  throw error
}
