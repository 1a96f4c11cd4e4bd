import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { toHtml } from '../../goldens/pages/to-page.ts'
import { realTimers } from '../../node/real-timers.ts'
import type { RunQuery } from '../../stores/run-summary.ts'
import type { TraceStore } from '../../stores/trace-store.ts'
import { GoldenrunError } from '../../trace/errors/goldenrun-error.ts'
import { parseJson } from '../../trace/json.ts'
import { encodePageData, type ForkAnswer, type ForkRequest, type PageData } from '../../viewer/page-data.ts'
import { listPage } from './list-page.ts'

/** The views to serve. */
export interface ServedViews {
  readonly store: string | TraceStore
  /** The runs that are listed. */
  readonly query: RunQuery
  /** The port; 0 for any free port. */
  readonly port: number
  /** Reads the page of runs. @param list The address of the list of runs. */
  readRuns(runs: readonly string[], list: string): Promise<PageData>
  /** Continues a run from a step with a different answer. Returns the id of the fork. */
  forkRun(run: string, request: ForkRequest): Promise<string>
}

/** A server of pages. */
export interface ViewServer {
  /** The address of the list, with the token that every address needs. */
  readonly address: string
  /** The address of a page about runs. */
  addressOf(runs: readonly string[]): string
  close(): Promise<void>
}

/** How often the server checks the subject of an open page for changes, in milliseconds. */
const CHECKED_EVERY = 1000

/**
 * Serves pages on this machine only. Every address needs a random token, so that no other user and no other page can read a run. A request also has
 * to name this server as its host and come from no other origin. A web page whose host name points at this machine therefore reads nothing.
 */
export async function serveViews(views: ServedViews): Promise<ViewServer> {
  const token = randomBytes(24).toString('base64url')
  const server = createServer((request, response) => {
    void answer(request, response, views, token).catch((error: unknown) => fail(response, error))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(cannotListen(error, views.port)))
    server.listen(views.port, '127.0.0.1', resolve)
  })
  const root = `http://${hostOf(server)}/${token}/`
  return {
    address: root,
    addressOf: (runs) => `${root}run/${pathOf(runs)}`,
    close: async () => {
      server.closeAllConnections()
      await new Promise<void>((resolve) => void server.close(() => resolve()))
    },
  }
}

function cannotListen(cause: NodeJS.ErrnoException, port: number): GoldenrunError {
  const why = cause.code === 'EADDRINUSE' ? 'another program listens there' : cause.message
  const problem = `Port ${port} cannot be used: ${why}. Name another one with --port, or leave it out for any that is free.`
  return new GoldenrunError('GOLDENRUN_VIEWER', problem, { cause })
}

function hostOf(server: Server): string {
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function answer(request: IncomingMessage, response: ServerResponse, views: ServedViews, token: string): Promise<void> {
  const host = `127.0.0.1:${request.socket.localPort ?? 0}`
  const { host: asked, origin } = request.headers
  if (asked !== host || (origin !== undefined && origin !== `http://${host}`)) return refuse(response, 403, 'Forbidden.')
  const [, given = '', ...rest] = (request.url ?? '/').split('?', 1)[0]?.split('/') ?? []
  if (!timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', token, 'buffer'))) return refuse(response, 404, 'Not found.')
  const root = `/${token}/`
  if (request.method === 'POST' && rest[0] === 'fork' && rest[1] !== undefined) {
    // Browsers send the origin with every POST.
    if (origin === undefined) return refuse(response, 403, 'Forbidden.')
    return await answerFork(request, response, decodeURIComponent(rest[1]), views, root)
  }
  if (request.method !== 'GET') return refuse(response, 405, 'Only GET is allowed.')
  const isStream = rest.at(-1) === 'changes'
  const [kind = '', names = ''] = isStream ? rest.slice(0, -1) : rest
  const read = readerOf(kind, names, views, root)
  if (read === undefined) return refuse(response, 404, 'Not found.')
  if (isStream) return await tellChanges(response, read)
  const page = await read()
  const here = kind === '' ? root : `${root}run/${names}/`
  const title = page.kind === 'list' ? 'Runs' : page.runs.map(({ name }) => name).join(', ')
  response.writeHead(200, { ...headers, 'content-type': 'text/html; charset=utf-8' })
  response.end(toHtml(page, title, `${here}changes`))
}

/** Pages are not cached, not framed, and send no referrer. */
const headers = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
}

function readerOf(
  kind: string,
  names: string,
  { store, query, readRuns }: ServedViews,
  root: string,
): (() => Promise<PageData>) | undefined {
  if (kind === '') return () => listPage(store, query, (run) => `${root}run/${pathOf([run])}`)
  if (kind !== 'run' || names === '') return undefined
  return () => readRuns(names.split(',').map(decodeURIComponent), root)
}

function pathOf(runs: readonly string[]): string {
  return runs.map(encodeURIComponent).join(',')
}

/** Longer answers are refused. */
const LONGEST = 5_000_000

async function answerFork(
  request: IncomingMessage,
  response: ServerResponse,
  run: string,
  views: ServedViews,
  root: string,
): Promise<void> {
  const forked = await forkAs(await readBody(request), run, views, root)
  response.writeHead('href' in forked ? 200 : 422, { ...headers, 'content-type': 'application/json' })
  response.end(JSON.stringify(forked))
}

async function forkAs(body: string, run: string, { forkRun }: ServedViews, root: string): Promise<ForkAnswer> {
  const { step, answer: given } = (parseJson(body) ?? {}) as Partial<ForkRequest>
  if (typeof step !== 'number' || typeof given !== 'string') return { problem: 'A fork needs a step and an answer.' }
  // An answer that does not look like JSON is a text.
  const json = parseJson(given) === undefined && !/^\s*["[{]/.test(given) ? JSON.stringify(given) : given
  if (parseJson(json) === undefined) return { problem: 'The answer begins like JSON, but is not valid JSON.' }
  try {
    return { href: `${root}run/${pathOf([run, await forkRun(run, { step, answer: json })])}#step=${step}` }
  } catch (error) {
    if (!GoldenrunError.isInstance(error)) throw error
    return { problem: error.message }
  }
}

/** Returns an empty text for a body that is too long. */
async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length
    if (length > LONGEST) return ''
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}

/** Notifies a page of each change of its subject, until the page is closed. */
async function tellChanges(response: ServerResponse, read: () => Promise<PageData>): Promise<void> {
  response.writeHead(200, { ...headers, 'content-type': 'text/event-stream' })
  response.write(': watching\n\n')
  let before = await signatureOf(read)
  while (!response.closed) {
    await new Promise<void>((resolve) => {
      const timer = realTimers.setTimeout(resolve, CHECKED_EVERY)
      response.once('close', () => {
        realTimers.clearTimeout(timer)
        resolve()
      })
    })
    if (response.closed) return
    const now = await signatureOf(read)
    if (now !== before) response.write('event: change\ndata:\n\n')
    before = now
  }
}

/** A run that cannot be read because it is being written counts as unchanged. */
async function signatureOf(read: () => Promise<PageData>): Promise<string> {
  try {
    return hash('sha256', encodePageData(await read()))
  } catch (error) {
    if (!GoldenrunError.isInstance(error)) throw error
    return error.message
  }
}

function refuse(response: ServerResponse, status: number, why: string): void {
  response.writeHead(status, { ...headers, 'content-type': 'text/plain; charset=utf-8' })
  response.end(`${why}\n`)
}

function fail(response: ServerResponse, error: unknown): void {
  if (response.headersSent) return void response.destroy()
  refuse(response, GoldenrunError.isInstance(error) ? 404 : 500, error instanceof Error ? error.message : String(error))
}
