import { answeredScope } from '../../../run/scope.ts'
import { combine, replaceProperty, type Restore } from '../../patches.ts'
import { acquiring } from '../acquiring.ts'
import type { DriverClass } from '../driver.ts'
import { connecting, hearCalls, ownWork, replaceMethods } from '../driver-work.ts'
import { serverOf } from '../served-connections.ts'
import { addCommandDoor, failConnection } from './add-command.ts'
import { AnsweredConnections } from './answered-connections.ts'
import { asking } from './asking.ts'
import { loseOpen, refuseCommand } from './lost-connections.ts'
import type { MysqlConnection, MysqlPool } from './mysql-client.ts'
import { makeMysqlServer } from './mysql-server.ts'
import { addressOf, openingConnections } from './opened-connections.ts'
import { callPool, connectForCall } from './pool-call.ts'

/** The package mysql2, with `mysql2/promise`. */
export const mysqlDriver: readonly DriverClass[] = [
  { own: ['addCommand', 'handlePacket', 'writePacket', '_resolveNamedPlaceholders'], open: openConnection },
  { own: ['_removeFromPool', 'release', 'destroy', 'end'], open: (prototype) => ownWork(prototype, ['release', 'destroy', 'end']) },
  { own: ['getConnection', 'releaseConnection', '_removeConnection'], open: openPool },
]

function openConnection(prototype: object): Restore {
  const connection = prototype as MysqlConnection
  const answered = new AnsweredConnections(connection.addCommand)
  return combine(
    openingConnections(prototype),
    ownWork(prototype, ['connect', 'end', 'close', 'destroy']),
    replaceMethods(prototype, ['startTLS'], ({ self, args: [onSecure], go }) => {
      // There is no peer to encrypt for.
      if (isInMemory(self as MysqlConnection)) process.nextTick(onSecure as () => void)
      else go()
    }),
    replaceMethods(prototype, ['query', 'execute'], asking),
    hearCalls(prototype, ['_notifyError'], (failed, [error]) => failConnection(failed as MysqlConnection, error)),
    hearCalls(prototype, ['protocolError'], (failed) => loseOpen(failed as MysqlConnection)),
    replaceMethods(prototype, ['_addCommandClosedState'], refuseCommand),
    replaceMethods(prototype, ['pause', 'resume', 'unprepare'], ({ self, args, go, goWith }) => {
      const scope = answeredScope()
      return scope === undefined ? go() : goWith(args, answered.in(scope.run, self as MysqlConnection).connection)
    }),
    replaceProperty(connection, 'addCommand', (original) => addCommandDoor(original, answered)),
  )
}

function openPool(prototype: object): Restore {
  return combine(
    connecting(
      prototype,
      ['getConnection'],
      () => makeMysqlServer,
      ({ config }: MysqlPool) => addressOf(config.connectionConfig),
    ),
    acquiring(prototype, ['getConnection'], 'mysql2 connect'),
    replaceMethods(prototype, ['getConnection'], connectForCall),
    replaceMethods(prototype, ['query', 'execute'], callPool),
    ownWork(prototype, ['releaseConnection', '_removeConnection', '_removeIdleTimeoutConnections', 'end']),
  )
}

function isInMemory({ stream }: MysqlConnection): boolean {
  return serverOf(stream as never) !== undefined
}
