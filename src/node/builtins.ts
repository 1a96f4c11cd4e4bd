import type childProcessModule from 'node:child_process'
import type cryptoModule from 'node:crypto'
import type dgramModule from 'node:dgram'
import type dnsModule from 'node:dns'
import type httpModule from 'node:http'
import { createRequire } from 'node:module'
import type netModule from 'node:net'
import type tlsModule from 'node:tls'
import type vmModule from 'node:vm'
import type workerThreadsModule from 'node:worker_threads'
import type zlibModule from 'node:zlib'
import { ownUrl } from './own-url.ts'

const loaded = new Map<string, unknown>()

/** Before Node 20.16 there is none. Nothing is recorded there, but what imports this has to load. */
const getBuiltinModule = (process.getBuiltinModule as typeof process.getBuiltinModule | undefined) ?? createRequire(ownUrl)

/** Each is asked for once: Node looks through the list of its modules for a name. */
function load(name: string): unknown {
  let module = loaded.get(name)
  if (module === undefined) loaded.set(name, (module = getBuiltinModule(name)))
  return module
}

/**
 * Modules of Node's that take their time to load, for what loads with every entry: each when it is first used, which is when a recorder or a
 * replay opens the doors.
 *
 * @note An ES module's import of them reads all that they export, to bind its names. Some of that is loaded when it is first read: of
 *   `node:http` Node's undici, 30 ms of every process that does nothing with it.
 */
export const builtins = {
  get childProcess(): typeof childProcessModule {
    return load('node:child_process') as typeof childProcessModule
  },
  get crypto(): typeof cryptoModule {
    return load('node:crypto') as typeof cryptoModule
  },
  get dgram(): typeof dgramModule {
    return load('node:dgram') as typeof dgramModule
  },
  get dns(): typeof dnsModule {
    return load('node:dns') as typeof dnsModule
  },
  get http(): typeof httpModule {
    return load('node:http') as typeof httpModule
  },
  get net(): typeof netModule {
    return load('node:net') as typeof netModule
  },
  get tls(): typeof tlsModule {
    return load('node:tls') as typeof tlsModule
  },
  get vm(): typeof vmModule {
    return load('node:vm') as typeof vmModule
  },
  get workerThreads(): typeof workerThreadsModule {
    return load('node:worker_threads') as typeof workerThreadsModule
  },
  get zlib(): typeof zlibModule {
    return load('node:zlib') as typeof zlibModule
  },
}
