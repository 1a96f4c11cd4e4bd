import { realProcess } from '../../node/real-process.ts'
import { combine, replaceProperty, type Restore } from '../patches.ts'
import { childProcessDoor } from '../process/child-process-door.ts'
import { exitDoor } from '../process/exit-door.ts'
import { killDoor } from '../process/kill-door.ts'
import { programName } from '../process/program-name.ts'
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
    exitDoor(),
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
  return combine(...modules.filter((inspector) => inspector !== undefined).map(openInspector))
}

function openInspector(inspector: Inspector): Restore {
  const describe = ([port = 9229, host = '127.0.0.1']: readonly unknown[]): Contact => ({ door: 'inspector', host: withPort(host, port) })
  return replaceProperty(inspector, 'open', (original) => contactFunction(original, describe, throwRefusal))
}

/** `process.execve`, which replaces this process with another program. Not on Windows, and not before Node 22.15. */
function execDoor(): Restore {
  const describe = ([file]: readonly unknown[]): Contact => ({ door: 'child process', host: programName(String(file)) })
  // In Jest's sandboxes the global `process` is a copy.
  const homes = [...new Set([process, realProcess()])].filter(({ execve }) => execve !== undefined) as Required<
    Pick<NodeJS.Process, 'execve'>
  >[]
  return combine(...homes.map((home) => replaceProperty(home, 'execve', (original) => contactFunction(original, describe, throwRefusal))))
}
