import { combine, type Restore } from '../patches.ts'
import { childProcessDoor } from './child-process-door.ts'
import { databaseDoor } from './databases/database-door.ts'
import { datagramDoor } from './datagram-door.ts'
import { dnsDoor } from './dns-door.ts'
import { execDoor } from './exec-door.ts'
import { http2Door } from './http2-door.ts'
import { inspectorDoor } from './inspector-door.ts'
import { socketDoor } from './socket-door.ts'
import { workerDoor } from './worker-door.ts'

/** Every contact that no boundary answers: noted in a recording, refused in a replay. */
export function contactDoor(): Restore {
  return combine(
    socketDoor(),
    http2Door(),
    datagramDoor(),
    dnsDoor(),
    childProcessDoor(),
    execDoor(),
    workerDoor(),
    inspectorDoor(),
    databaseDoor(),
  )
}
