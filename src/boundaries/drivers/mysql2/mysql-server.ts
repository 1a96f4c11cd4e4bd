import type { MakeServer } from '../served-connections.ts'
import { littleEndian, Pieces } from '../wire-bytes.ts'
import { frame, isMysqlError, writeError, writeOk } from './result-writer.ts'

/** The in-memory server's greeting. Its key is not secret: any password is accepted. */
export const serverHello: {
  readonly serverVersion: string
  readonly connectionId: number
  readonly authPluginData1: Buffer
  readonly authPluginData2: Buffer
  readonly capabilityFlags: number
} = {
  serverVersion: '8.0.0',
  connectionId: 1,
  authPluginData1: Buffer.alloc(8, 'g'),
  authPluginData2: Buffer.alloc(12, 'g'),
  /** All capabilities of MySQL 5.7 except compression. Source: MySQL, "Capabilities Flags". */
  capabilityFlags: 0x00ff_ffdf,
}

/**
 * MySQL as a connecting driver sees it. It answers nothing else.
 *
 * @param failure Why opening the connection fails: MySQL's error, or there is no connection.
 */
export const makeMysqlServer: MakeServer = (socket, failure) => {
  const pieces = new Pieces()
  let isLoggedIn = false
  const hear = (packet: Buffer, reply: (answer: Buffer) => void): void => {
    if (!isLoggedIn) {
      // A request for TLS, which begins in the same way, gets no answer.
      isLoggedIn = packet.length > 32
      if (isLoggedIn) reply(isMysqlError(failure) ? writeError(failure) : writeOk({}))
      return
    }
    const [command = 0] = packet
    if (command === commands.quit) socket.end()
    else if (quiet.has(command)) return
    else if (trivial.has(command) || (command === commands.query && isSetUp(packet.toString('utf8', 1)))) reply(writeOk({}))
    else reply(writeError({ errno: 1235, sqlState: '42000', sqlMessage: 'goldenrun has no recorded answer to this statement' }))
  }
  if (failure !== undefined && !isMysqlError(failure)) socket.fail(failure)
  socket.send(frame([writeHello()], 0))
  return {
    receive(bytes) {
      for (const packet of pieces.take(bytes, lengthOfPacket)) {
        const number = packet[3] ?? 0
        hear(packet.subarray(4), (answer) => socket.send(frame([answer], number + 1)))
      }
    },
  }
}

function lengthOfPacket(bytes: Buffer): number | undefined {
  return bytes.length < 4 ? undefined : 4 + bytes.readUIntLE(0, 3)
}

/** Whether a pool's setup of a new connection gets a plain OK: it has no step, and these statements return nothing. */
function isSetUp(sql: string): boolean {
  return /^\s*(?:set|use|begin|start|commit|rollback)\b/i.test(sql)
}

/** Source: MySQL, "Command Phase". */
const commands = {
  quit: 0x01,
  initDatabase: 0x02,
  query: 0x03,
  ping: 0x0e,
  changeUser: 0x11,
  sendLongData: 0x18,
  closeStatement: 0x19,
  reset: 0x1f,
} as const
const quiet: ReadonlySet<number> = new Set([commands.sendLongData, commands.closeStatement])
const trivial: ReadonlySet<number> = new Set([commands.initDatabase, commands.ping, commands.changeUser, commands.reset])

/** Source: MySQL, "Protocol::HandshakeV10". */
function writeHello(): Buffer {
  const { serverVersion, connectionId, authPluginData1, authPluginData2, capabilityFlags } = serverHello
  return Buffer.concat([
    Buffer.of(10),
    Buffer.from(`${serverVersion}\0`),
    littleEndian.int(connectionId, 4),
    authPluginData1,
    Buffer.of(0),
    littleEndian.int(capabilityFlags % 0x1_0000, 2),
    // utf8mb4_general_ci, and the status outside of a transaction.
    Buffer.of(45),
    littleEndian.int(2, 2),
    littleEndian.int(Math.floor(capabilityFlags / 0x1_0000), 2),
    Buffer.of(21),
    Buffer.alloc(10),
    authPluginData2,
    Buffer.of(0),
    Buffer.from('mysql_native_password\0'),
  ])
}
