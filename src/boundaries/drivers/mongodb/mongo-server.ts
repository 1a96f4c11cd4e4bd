import type { ServedSocket, Server } from '../served-connections.ts'
import { Pieces } from '../wire-bytes.ts'
import { lengthOfMessage, readCommand, replyMessage } from './mongo-messages.ts'

/** A deployment as a client is configured to expect it. */
export interface Deployment {
  /** The address that the client connects to, with its port. */
  readonly address: string
  /** The name of the replica set that the client asks for. */
  readonly replicaSet?: string | undefined
  readonly isLoadBalanced: boolean
}

/** Commands that maintain the connection and are not steps. */
export const upkeepCommands: ReadonlySet<string> = new Set(['hello', 'ismaster', 'isMaster', 'ping', 'endSessions', 'killCursors'])

/** A member next to the primary, for reads that avoid the primary. */
const secondary = 'secondary.goldenrun:27017'

/**
 * A MongoDB that can only accept a driver's connection: the primary of a replica set if the client asks for one, else a router of a sharded
 * cluster, which accepts transactions and every read preference.
 */
export function mongoServer(socket: ServedSocket, deployment: Deployment): Server {
  const pieces = new Pieces()
  return {
    receive(bytes) {
      for (const message of pieces.take(bytes, lengthOfMessage)) {
        const sent = readCommand(message)
        if (sent === undefined) return socket.end()
        if (sent.isAnswered) socket.send(replyMessage(sent, answer(sent.command, deployment)))
      }
    },
  }
}

function answer(command: Record<string, unknown>, deployment: Deployment): object {
  const [name = ''] = Object.keys(command)
  if (/^hello$|^ismaster$/i.test(name)) return hello(deployment)
  return upkeepCommands.has(name) ? { ok: 1 } : unanswered(name)
}

/** Source: MongoDB's specification "Server Discovery And Monitoring". */
function hello({ address, replicaSet, isLoadBalanced }: Deployment): object {
  const isPrimary = address !== secondary
  const member = { setName: replicaSet, hosts: [isPrimary ? address : secondary, secondary], setVersion: 1, secondary: !isPrimary }
  return {
    ok: 1,
    helloOk: true,
    ismaster: isPrimary,
    isWritablePrimary: isPrimary,
    ...(replicaSet === undefined ? { msg: 'isdbgrid' } : member),
    ...(isLoadBalanced ? { serviceId: { $oid: '000000000000000000000001' } } : {}),
    maxBsonObjectSize: 16_777_216,
    maxMessageSizeBytes: 48_000_000,
    maxWriteBatchSize: 100_000,
    logicalSessionTimeoutMinutes: 30,
    minWireVersion: 0,
    maxWireVersion: 25,
    readOnly: false,
    // Drivers do not log in to an arbiter, and check this after the kind of the server.
    arbiterOnly: true,
  }
}

function unanswered(name: string): object {
  return { ok: 0, errmsg: `goldenrun has no recorded answer to ${name}`, code: 59, codeName: 'CommandNotFound' }
}
