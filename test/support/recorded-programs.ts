import { pathToFileURL } from 'node:url'
import { afterAll } from 'vitest'
import { listen, type LocalServer } from '../../examples/world/listen.ts'
import { readBody } from '../../examples/world/read-body.ts'
import { buildPackage } from './build-package.ts'

/** Says back what it is sent. */
export const server: LocalServer = await listen(async (request, response) => void response.end(await readBody(request)))

/** The address of the built package, as code. */
export const root: string = JSON.stringify(pathToFileURL(`${await buildPackage()}/dist/index.js`).href)

export const record: readonly string[] = ['record', '--store', 'kept']

export const node: readonly string[] = ['--', process.execPath]

/** Starts what the tests share, and ends it after them. */
export function setUpEchoServer(): void {
  afterAll(() => server.close())
}
