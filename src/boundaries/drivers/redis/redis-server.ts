import type { MakeServer, ServedSocket, Server } from '../served-connections.ts'
import { readCommand, resp } from './resp.ts'

/** Answers a command in place of the server; undefined leaves it to the server, null means no answer. */
export type AnswerCommand = (command: readonly string[], socket: ServedSocket) => Buffer | null | undefined

/** A server that supports only connecting, or that fails like the recorded one. */
export const makeRedisServer: MakeServer = (socket, failure) => {
  const isReply = failure !== undefined && isRedisError(failure)
  if (failure !== undefined && !isReply) socket.fail(failure)
  return redisServer(socket, isReply ? failing(failure) : undefined)
}

/** Whether an error has the form of a Redis error, which begins with a code: `WRONGTYPE Operation against …`. */
export function isRedisError({ message }: Error): boolean {
  return /^[A-Z]{3,} /.test(message)
}

/** Some drivers' errors name the command that failed. Other drivers continue without replies that connecting does not need. */
function failing(failure: Error): AnswerCommand {
  const { command } = failure as { readonly command?: { readonly name?: string } }
  const error = resp.error(failure.message)
  return ([name = '']) => (command?.name === undefined || command.name.toUpperCase() === name.toUpperCase() ? error : undefined)
}

/**
 * Redis as a connecting driver sees it: a server, the only node of a cluster, or a sentinel. It has no data.
 *
 * @param answer Asked first.
 */
export function redisServer(socket: ServedSocket, answer?: AnswerCommand): Server {
  let rest: Buffer = Buffer.alloc(0)
  let protocol = 2
  const reply = ([name = '', part = '']: readonly string[]): Buffer => {
    const verb = name.toUpperCase()
    if (verb === 'HELLO' && part !== '') protocol = Number(part)
    if (verb === 'HELLO') return greet(protocol)
    const whole = handshake[verb] ?? handshake[`${verb} ${part.toUpperCase()}`]
    if (whole !== undefined) return whole
    // Clients send their name and version, and ask for notifications that a server may not support.
    if (verb === 'CLIENT' && part.toUpperCase() !== 'MAINT_NOTIFICATIONS') return resp.ok()
    return resp.error('ERR goldenrun has no recorded answer to this command')
  }
  return {
    receive(bytes) {
      rest = Buffer.concat([rest, bytes])
      for (let read = readCommand(rest); read !== undefined; read = readCommand(rest)) {
        const { command, length } = read
        rest = rest.subarray(length)
        const own = answer?.(command, socket)
        if (own === null) continue
        socket.send(own ?? reply(command))
        if (command[0]?.toUpperCase() === 'QUIT') socket.end()
      }
    },
  }
}

function greet(protocol: number): Buffer {
  const fields: readonly (readonly [string, Buffer])[] = [
    ['server', resp.text('redis')],
    ['version', resp.text(version)],
    ['proto', resp.number(protocol)],
    ['id', resp.number(1)],
    ['mode', resp.text('standalone')],
    ['role', resp.text('master')],
    ['modules', resp.list([])],
  ]
  return resp.map(fields, protocol)
}

const version = '7.4.0'
const [host, port] = ['127.0.0.1', 6379]

/** The replies to drivers that connect, by command or by its first two words. */
const handshake: Readonly<Record<string, Buffer>> = {
  ASKING: resp.ok(),
  AUTH: resp.ok(),
  PING: resp.simple('PONG'),
  QUIT: resp.ok(),
  READONLY: resp.ok(),
  READWRITE: resp.ok(),
  RESET: resp.simple('RESET'),
  SELECT: resp.ok(),
  INFO: resp.text(`# Server\r\nredis_version:${version}\r\nredis_mode:standalone\r\nloading:0\r\n# Replication\r\nrole:master\r\n`),
  ROLE: resp.list([resp.text('master'), resp.number(0), resp.list([])]),
  COMMAND: resp.list([]),
  'CLIENT ID': resp.number(1),
  'CLUSTER INFO': resp.text('cluster_state:ok\r\ncluster_slots_assigned:16384\r\n'),
  'CLUSTER SLOTS': resp.list([
    resp.list([resp.number(0), resp.number(16_383), resp.list([resp.text(host), resp.number(port), resp.text('0'.repeat(40))])]),
  ]),
  'SENTINEL GET-MASTER-ADDR-BY-NAME': resp.list([resp.text(host), resp.text(String(port))]),
  'SENTINEL SENTINELS': resp.list([]),
  'SENTINEL SLAVES': resp.list([]),
  'SENTINEL REPLICAS': resp.list([]),
}
