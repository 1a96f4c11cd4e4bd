import { realTimers } from '../../../node/real-timers.ts'
import { type AnsweredScope, runBelow, type Scope } from '../../../run/scope.ts'
import { markTransport } from '../../contact/known-sockets.ts'
import { timerDelay } from '../../time-limit.ts'
import { Arrival } from '../../arrival.ts'
import { answerDriverCall, recordDriverCall, tellQuietly } from '../driver-call.ts'
import { inDatabase, opensStream, type RedisCall, redisCall, verbOf } from '../redis/redis-call.ts'
import { type RedisReplies, repliesOfBatch } from '../redis/redis-replies.ts'
import type { IoredisClient, IoredisCommand } from './ioredis-client.ts'
import { errorsOf } from './ioredis-errors.ts'
import { toKept, toKeptError, toOwnError, toReply } from './ioredis-reply.ts'

/** The functions that follow commands. A command passes several times: through a cluster, from a queue, again after a lost connection. */
const following = new WeakSet<object>()

/** Whether a command is already a step. */
export function isFollowed({ resolve }: IoredisCommand): boolean {
  return following.has(resolve)
}

/**
 * Records a command, which `send` sends. Each command is a step, including those of pipelines and transactions, since the driver settles each one:
 * a command in a transaction has the output `QUEUED`, and `EXEC` has the replies.
 */
export function followCommand(scope: Scope, client: IoredisClient, command: IoredisCommand, send: () => unknown): unknown {
  const verb = verbOf([command.name])
  if (client.stream !== undefined) markTransport(client.stream)
  if (verb === 'QUIT' || opensStream(verb)) {
    if (verb !== 'QUIT') scope.run.note('unrecorded-contact', `redis ${verb.toLowerCase()}`)
    return runBelow(scope, {}, send)
  }
  const arrival = new Arrival()
  const call = callOf(scope, client, command)
  watch(command, arrival, call.replies)
  return recordDriverCall(scope, call, arrival, send)
}

function callOf({ run }: Scope, client: IoredisClient, command: IoredisCommand): RedisCall {
  const { options } = client
  const call = redisCall('ioredis', [command.name, ...command.args])
  const replies = repliesInTransaction(client, command) ?? call.replies
  const { commandTimeout } = options
  // ioredis does not apply a limit that is a string, as from a URL.
  const limit = typeof commandTimeout === 'number' ? timerDelay(commandTimeout) : undefined
  return inDatabase({ ...call, replies, limit }, run, `${options.host}:${options.port}${options.path}/${options.db}`)
}

/** Commands of transactions that have begun: their replies come with the reply to `EXEC`. */
const queued = new WeakMap<IoredisClient, [verb: string, ...args: unknown[]][]>()

/** The replies of a command that is part of a transaction. */
function repliesInTransaction(client: IoredisClient, { name, args }: IoredisCommand): RedisReplies | undefined {
  const verb = verbOf([name])
  const commands = queued.get(client)
  if (verb === 'MULTI') queued.set(client, [])
  else if (verb === 'EXEC' || verb === 'DISCARD') queued.delete(client)
  else commands?.push([verb, ...args])
  return commands === undefined ? undefined : repliesOfBatch(verb === 'EXEC' ? commands : [])
}

/** Reports a command's end before the agent is notified. */
function watch(command: IoredisCommand, arrival: Arrival, replies: RedisReplies): void {
  const { resolve, reject } = command
  command.resolve = (reply) => {
    tellQuietly(() => arrival.settle(replies.name(toKept(reply))))
    return Reflect.apply(resolve, command, [reply])
  }
  command.reject = (error) => {
    tellQuietly(() => arrival.fail(toKeptError(error)))
    return Reflect.apply(reject, command, [error])
  }
  following.add(command.resolve)
}

/** Answers a command from the trace: the driver gets the reply as its parser would return it. */
export function answerCommand(scope: AnsweredScope, client: IoredisClient, command: IoredisCommand): unknown {
  const verb = verbOf([command.name])
  // The client's listeners expect its connection events.
  if (client.status === 'wait' && verb !== 'QUIT') client.connect().catch(() => undefined)
  if (verb === 'QUIT') quit(scope, client, command)
  else if (opensStream(verb)) command.reject(scope.run.refuseContact(scope.owner, 'redis', verb.toLowerCase()))
  else {
    const { classes, inReply } = errorsOf(client)
    command.setReplyContext?.(replyContext(client))
    const call = { ...callOf(scope, client, command), errors: classes }
    answerDriverCall(scope, call).then(
      (kept) => command.resolve(toReply(call.replies.bare(kept), inReply)),
      (error: unknown) => command.reject(toOwnError(error, command)),
    )
  }
  return command.promise
}

/** Ends a connection, which is not a step. As over a real connection, this takes longer than answers that are ready. */
function quit(scope: AnsweredScope, client: IoredisClient, command: IoredisCommand): void {
  const release = scope.run.busy()
  realTimers.setImmediate(() => {
    release()
    runBelow(scope, {}, () => client.disconnect())
    command.resolve(Buffer.from('OK'))
  })
}

/** The context that determines a reply's form. Source: ioredis 6, lib/Redis.ts, sendCommand. */
function replyContext(client: IoredisClient): unknown {
  const node = client.isCluster === true ? client.nodes()[0] : client
  return node === undefined ? { protocol: 3, ...client.options.redisOptions } : (node.condition ?? node.options)
}
