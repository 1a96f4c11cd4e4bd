import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** A server of the bench in its own process. */
export interface StartedServer extends Disposable {
  readonly port: number
}

/** @param program The address of a program that prints its port once it listens. */
export async function startServer(program: URL): Promise<StartedServer> {
  const server = spawn(process.execPath, [fileURLToPath(program)], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [printed] = (await once(server.stdout, 'data')) as [Buffer]
  return { port: Number(printed.toString()), [Symbol.dispose]: () => void server.kill() }
}
