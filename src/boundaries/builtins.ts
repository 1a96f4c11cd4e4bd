import type childProcessModule from 'node:child_process'
import type cryptoModule from 'node:crypto'
import type dgramModule from 'node:dgram'
import type dnsModule from 'node:dns'
import type httpModule from 'node:http'
import type netModule from 'node:net'
import type tlsModule from 'node:tls'
import type vmModule from 'node:vm'
import type workerThreadsModule from 'node:worker_threads'
import type zlibModule from 'node:zlib'

/**
 * Modules of Node's that take their time to load, for what loads with every entry: each when it is first used, which is when a recorder or a
 * replay opens the doors.
 *
 * @note An ES module's import of them reads all that they export, to bind its names. Some of that is loaded when it is first read: of
 *   `node:http` Node's undici, 30 ms of every process that does nothing with it.
 */
export const builtins = {
  get childProcess(): typeof childProcessModule {
    return process.getBuiltinModule('node:child_process')
  },
  get crypto(): typeof cryptoModule {
    return process.getBuiltinModule('node:crypto')
  },
  get dgram(): typeof dgramModule {
    return process.getBuiltinModule('node:dgram')
  },
  get dns(): typeof dnsModule {
    return process.getBuiltinModule('node:dns')
  },
  get http(): typeof httpModule {
    return process.getBuiltinModule('node:http')
  },
  get net(): typeof netModule {
    return process.getBuiltinModule('node:net')
  },
  get tls(): typeof tlsModule {
    return process.getBuiltinModule('node:tls')
  },
  get vm(): typeof vmModule {
    return process.getBuiltinModule('node:vm')
  },
  get workerThreads(): typeof workerThreadsModule {
    return process.getBuiltinModule('node:worker_threads')
  },
  get zlib(): typeof zlibModule {
    return process.getBuiltinModule('node:zlib')
  },
}
