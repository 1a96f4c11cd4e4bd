import type { Way } from './way.ts'
import { requests, waysOut } from './ways-out.ts'
import { codeWays } from './ways/code.ts'
import { contextWays } from './ways/contexts.ts'
import { databaseWays } from './ways/databases.ts'
import { httpWays } from './ways/http.ts'
import { nativeWays } from './ways/native.ts'
import { processWays } from './ways/processes.ts'
import { socketWays } from './ways/sockets.ts'

/** Every way out, by what it leads through. */
export const allWays: Readonly<Record<string, readonly Way[]>> = {
  'sockets, names and programs': waysOut.filter(({ isUncounted }) => isUncounted !== true),
  'HTTP and WebSocket clients': [...requests, ...httpWays],
  'sockets, datagrams and HTTP/2, opened before the run or in it': socketWays,
  'processes, threads, the inspector, files, internals': processWays,
  'databases in the process': databaseWays,
  'lost async contexts': contextWays,
  'modules and code by other means': codeWays,
  // The last ones: whatever a process does is looked at more closely once such an addon is loaded.
  'native code': nativeWays,
}
