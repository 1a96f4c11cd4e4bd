import type { DriverProgram } from '../driver-program.ts'
import { type Talk, webSocketProgram } from './web-socket-flows.ts'

/** The package ws. */
export const program: DriverProgram<Talk> = webSocketProgram((load, url, protocols) => {
  const { WebSocket } = load('ws') as typeof import('ws')
  return new WebSocket(url, protocols) as never
})
