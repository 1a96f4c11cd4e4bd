import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Service } from './services.ts'

const program = fileURLToPath(new URL('mongo-stand-in.ts', import.meta.url))

/** Starts the stand-in for MongoDB with nothing in it. Waits until it listens, and until it is gone when it is disposed of. */
export async function startMongo(): Promise<Service> {
  const child = spawn(process.execPath, ['--experimental-strip-types', '--no-warnings', program], { stdio: ['pipe', 'pipe', 'inherit'] })
  const gone = once(child, 'exit')
  const [port] = (await Promise.race([once(child.stdout, 'data'), gone])) as [unknown]
  return {
    port: Number(port),
    async [Symbol.asyncDispose]() {
      child.kill()
      await gone
    },
  }
}
