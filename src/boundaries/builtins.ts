import type cryptoModule from 'node:crypto'
import type httpModule from 'node:http'
import type tlsModule from 'node:tls'
import type zlibModule from 'node:zlib'

/**
 * Modules of Node's that take their time to load, for what loads with every entry: each when it is first used, which is when a recorder or a
 * replay opens the doors.
 *
 * @note An ES module's import of them reads all that they export, to bind its names. Some of that is loaded when it is first read: of
 *   `node:http` Node's undici, 30 ms of every process that does nothing with it.
 */
export const builtins = {
  get crypto(): typeof cryptoModule {
    return process.getBuiltinModule('node:crypto')
  },
  get http(): typeof httpModule {
    return process.getBuiltinModule('node:http')
  },
  get tls(): typeof tlsModule {
    return process.getBuiltinModule('node:tls')
  },
  get zlib(): typeof zlibModule {
    return process.getBuiltinModule('node:zlib')
  },
}
