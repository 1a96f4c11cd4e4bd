import type { DriverProgram } from '../driver-program.ts'
import { type Talk, webSocketProgram } from './web-socket-flows.ts'

/** The WebSocket of the package undici. */
export const program: DriverProgram<Talk> = webSocketProgram((load, url, protocols) => {
  const { WebSocket } = load('undici') as typeof import('undici')
  return new WebSocket(url, protocols) as never
})
