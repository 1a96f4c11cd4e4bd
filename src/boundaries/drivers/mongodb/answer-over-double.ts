import type { MongoConnection, MongoReply } from './mongo-connection.ts'
import { defineOwn } from '../../patches.ts'

/** Sends a command over a connection. */
export type Send = (connection: MongoConnection) => AsyncGenerator<MongoReply>

/**
 * Sends a command over a double of its connection, which sends nothing and has one reply. The driver itself reads it: classes, types, errors.
 *
 * @param signal Ends the wait for the reply.
 */
export async function* answerOverDouble(
  connection: MongoConnection,
  reply: Promise<Uint8Array>,
  signal: AbortSignal | undefined,
  send: Send,
): AsyncGenerator<MongoReply> {
  const still = Object.create(connection.socket) as MongoConnection['socket']
  const double = Object.assign(Object.create(connection) as MongoConnection, {
    // Timeouts of the real socket are left alone.
    socket: Object.assign(still, { setTimeout: () => still }),
    writeCommand: () => Promise.resolve(),
    async *readMany() {
      const bytes = await untilAborted(reply, signal)
      yield { moreToCome: false, parse: () => bytes }
    },
  })
  try {
    yield* send(double)
  } catch (error) {
    throw await ownError(double, error)
  }
}

/** Connections fail in two ways, with the driver's own error classes. The driver makes the errors, which then get the recorded message. */
async function ownError(connection: MongoConnection, recorded: unknown): Promise<unknown> {
  if (!(recorded instanceof Error) || !/^Mongo(?:Network|NetworkTimeout)Error$/.test(recorded.name)) return recorded
  const made = await new Promise<Error>((resolve) => {
    const double = Object.assign(Object.create(connection) as MongoConnection, { cleanup: resolve, delayedTimeoutId: null })
    if (recorded.name === 'MongoNetworkError') double.onClose()
    else double.onTimeout()
  })
  defineOwn(made, 'message', recorded.message)
  return made
}

async function untilAborted<Value>(value: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (signal === undefined) return await value
  signal.throwIfAborted()
  const { promise, reject } = Promise.withResolvers<never>()
  const abort = (): void => reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([value, promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
