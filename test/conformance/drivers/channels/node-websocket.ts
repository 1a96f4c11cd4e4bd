import type { DriverProgram } from '../driver-program.ts'
import { type Talk, webSocketProgram } from './web-socket-flows.ts'

/** The global WebSocket. */
export const program: DriverProgram<Talk> = webSocketProgram((_load, url, protocols) => new WebSocket(url, protocols) as never)
