import type cryptoModule from 'node:crypto'
import type httpModule from 'node:http'

/**
 * `node:http` and `node:crypto`, for what loads with every entry.
 *
 * @note An ES module's import of them reads all that they export, to bind its names. Some of that is loaded when it is first read: of
 *   `node:http` Node's undici, 30 ms of every process that does nothing with it.
 */
export const http: typeof httpModule = process.getBuiltinModule('node:http')
export const crypto: typeof cryptoModule = process.getBuiltinModule('node:crypto')
