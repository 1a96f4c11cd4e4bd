import { combine, replaceProperty, type Restore } from '../patches.ts'
import { childProcessDoor } from '../process/child-process-door.ts'
import { killDoor } from '../process/kill-door.ts'
import { execDoor } from './exec-door.ts'
import { databaseDoor } from './databases/database-door.ts'
import { datagramDoor } from './datagram-door.ts'
import { dnsDoor } from '../dns/dns-door.ts'
import { http2Door } from './http2-door.ts'
import { socketDoor } from './socket-door.ts'
import { workerDoor } from './worker-door.ts'
import { type Contact, withPort } from './contact.ts'
import { contactFunction, throwRefusal } from './make-contact.ts'

/** Every contact that no boundary answers: noted in a recording, refused in a replay. */
export function contactDoor(): Restore {
  return combine(
    socketDoor(),
    http2Door(),
    datagramDoor(),
    dnsDoor(),
    childProcessDoor(),
    killDoor(),
    execDoor(),
    workerDoor(),
    inspectorDoor(),
    databaseDoor(),
  )
}

type Inspector = Pick<typeof import('node:inspector'), 'open'>

/** The inspector: a port through which others may access the process. Not every build of Node has it. */
function inspectorDoor(): Restore {
  const { getBuiltinModule } = process
  const modules: (Inspector | undefined)[] = [getBuiltinModule('node:inspector'), getBuiltinModule('node:inspector/promises')]
  return combine(...modules.filter((inspector) => inspector !== undefined).map(openDoor))
}

function openDoor(inspector: Inspector): Restore {
  const describe = ([port = 9229, host = '127.0.0.1']: readonly unknown[]): Contact => ({ door: 'inspector', host: withPort(host, port) })
  return replaceProperty(inspector, 'open', (original) => contactFunction(original, describe, throwRefusal))
}
