import type { AwsV4Signer } from 'aws4fetch'
import { realTimers } from '../../node/real-timers.ts'
import { StorageError, type StorageProblem } from '../errors/storage-error.ts'
import { loadPeer } from '../load-peer.ts'
import type { ObjectQuery, ObjectStorage, StoredObject } from './object-storage.ts'
import { PassingFailure, retry } from './retry.ts'
import { type Listing, readErrorCode, readListing } from './s3-listing.ts'
import { readS3Credentials, type S3Location } from './s3-location.ts'

/** How requests are made. */
export interface S3RequestOptions {
  /** The number of attempts before a request fails. Default: 6. */
  readonly attempts?: number
  /** How long a request may take, in milliseconds. Default: 30000. */
  readonly timeout?: number
}

interface Request {
  readonly method: 'GET' | 'PUT' | 'DELETE'
  /** Undefined for the bucket itself. */
  readonly key?: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
  /** Statuses that count as answers, not failures. */
  readonly answers: readonly number[]
}

interface Answer {
  readonly status: number
  readonly body: Uint8Array
  /** Whether it names a version of an object. */
  readonly hasTag: boolean
}

/** The most keys on a page of a listing. */
const PAGE = '1000'

/** Error codes after which a request can be repeated, whatever the status. */
const passingCodes = new Set([
  'RequestTimeout',
  'SlowDown',
  'InternalError',
  'ServiceUnavailable',
  'ConditionalRequestConflict',
  'OperationAborted',
])

/** Object storage over the S3 protocol, with Node's own `fetch` and requests signed by `aws4fetch`. */
export class S3ObjectStorage implements ObjectStorage {
  readonly place: string
  readonly #location: S3Location
  readonly #attempts: number
  readonly #timeout: number
  readonly #cache = new Map<string, ArrayBuffer>()
  #abandoning = new AbortController()

  constructor(location: S3Location, { attempts = 6, timeout = 30_000 }: S3RequestOptions = {}) {
    this.place = location.place
    this.#location = location
    this.#attempts = attempts
    this.#timeout = timeout
  }

  async put(key: string, bytes: Uint8Array): Promise<void> {
    await this.#request({ method: 'PUT', key, body: bytes, answers: [200] })
  }

  async create(key: string, bytes: Uint8Array): Promise<boolean> {
    const { status } = await this.#request({ method: 'PUT', key, body: bytes, headers: { 'if-none-match': '*' }, answers: [200, 412] })
    return status === 200
  }

  async get(key: string): Promise<Uint8Array | undefined> {
    const { status, body } = await this.#request({ method: 'GET', key, answers: [200, 404] })
    return status === 404 ? undefined : body
  }

  async getRange(key: string, from: number, to: number): Promise<Uint8Array | undefined> {
    if (to <= from) return new Uint8Array()
    const headers = { range: `bytes=${from}-${to - 1}` }
    const { status, body } = await this.#request({ method: 'GET', key, headers, answers: [200, 206, 404, 416] })
    if (status === 404) return undefined
    if (status === 416) return new Uint8Array()
    // A server may ignore the range and answer with the whole object.
    return status === 200 ? body.subarray(from, to) : body
  }

  async *list({ prefix, after, before }: ObjectQuery): AsyncGenerator<readonly StoredObject[]> {
    const end = before === undefined ? undefined : `${this.#location.prefix}${before}`
    let token: string | undefined
    do {
      const start = after === undefined ? {} : { 'start-after': `${this.#location.prefix}${after}` }
      const page: Listing = await this.#listPage(prefix, token === undefined ? start : { 'continuation-token': token })
      const wanted = page.objects.filter(({ key }) => end === undefined || key < end)
      if (wanted.length > 0) yield wanted.map(({ key, size }) => ({ key: key.slice(this.#location.prefix.length), size }))
      token = wanted.length < page.objects.length ? undefined : page.next
    } while (token !== undefined)
  }

  async delete(key: string): Promise<void> {
    await this.#request({ method: 'DELETE', key, answers: [200, 204, 404] })
  }

  get abandoned(): AbortSignal {
    return this.#abandoning.signal
  }

  abandon(): void {
    this.#abandoning.abort()
    this.#abandoning = new AbortController()
  }

  async #listPage(prefix: string, more: Readonly<Record<string, string>>): Promise<Listing> {
    const query = { 'list-type': '2', 'max-keys': PAGE, 'encoding-type': 'url', prefix: `${this.#location.prefix}${prefix}`, ...more }
    const { signal } = this.#abandoning
    return retry(
      async () => {
        const { body } = await this.#requestOnce({ method: 'GET', query, answers: [200] }, signal)
        const listing = readListing(Buffer.from(body).toString())
        if (listing === undefined) throw new PassingFailure('the listing was cut off')
        return listing
      },
      this.#attempts,
      signal,
    ).catch((error: unknown) => this.#fail(error))
  }

  #request(request: Request): Promise<Answer> {
    const { signal } = this.#abandoning
    return retry(() => this.#requestOnce(request, signal), this.#attempts, signal).catch((error: unknown) => this.#fail(error))
  }

  async #requestOnce(request: Request, abandoned: AbortSignal): Promise<Answer> {
    const { method, url, headers } = await (await this.#sign(request)).sign()
    const init = { method, headers, ...(request.body && { body: request.body as BodyInit }) }
    const answer = await this.#withLimit(abandoned, (signal) => this.#send(url.href, { ...init, signal }))
    const { status, body, hasTag } = answer
    // A network that asks its guests to sign in answers with status 200 as well.
    if (method === 'PUT' && status === 200 && !hasTag) throw new PassingFailure('status 200 without an ETag, which an object storage sends')
    // A missing bucket is an error, a missing object is not.
    const code = status < 300 ? '' : readErrorCode(Buffer.from(body).toString('latin1'))
    if (request.answers.includes(status) && code !== 'NoSuchBucket') return answer
    if (status >= 500 || status === 409 || status === 429 || passingCodes.has(code)) throw new PassingFailure(describe(status, code))
    throw this.#refused(status, code)
  }

  /** Ends a request that takes too long or is abandoned. @note `AbortSignal.any` would keep an entry for each request with the longer-lived signal. */
  async #withLimit<Result>(abandoned: AbortSignal, request: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const ending = new AbortController()
    const end = (): void => ending.abort(new Error('the recorder was closed'))
    const expire = (): void => ending.abort(new Error(`there was no answer within ${this.#timeout} ms`))
    const timer = realTimers.setTimeout(expire, this.#timeout)
    abandoned.addEventListener('abort', end)
    if (abandoned.aborted) end()
    try {
      return await request(ending.signal)
    } finally {
      realTimers.clearTimeout(timer)
      abandoned.removeEventListener('abort', end)
    }
  }

  async #send(url: string, init: RequestInit): Promise<Answer> {
    try {
      const response = await fetch(url, { ...init, redirect: 'manual' })
      const body = new Uint8Array(await response.arrayBuffer())
      const length = response.headers.get('content-length')
      if (length !== null && Number(length) !== body.length && !response.headers.has('content-encoding'))
        throw new PassingFailure('the answer was cut off')
      return { status: response.status, body, hasTag: response.headers.has('etag') }
    } catch (error) {
      if (error instanceof PassingFailure) throw error
      const { message, cause } = error as Error
      throw new PassingFailure(cause instanceof Error && cause.message !== '' ? `${message}: ${cause.message}` : message, { cause: error })
    }
  }

  async #sign({ method, key, query = {}, headers = {}, body }: Request): Promise<AwsV4Signer> {
    const { AwsV4Signer: Signer } = await loadPeer('aws4fetch', () => import('aws4fetch'))
    const { base, prefix, region } = this.#location
    const path = key === undefined ? '' : `${prefix}${key}`.split('/').map(encodeURIComponent).join('/')
    const search = new URLSearchParams(query).toString().replaceAll('+', '%20')
    return new Signer({
      method,
      url: `${base}${path}${search === '' ? '' : `?${search}`}`,
      headers: { ...headers, ...(body && { 'content-type': 'application/octet-stream' }) },
      ...readS3Credentials(this.place),
      service: 's3',
      region,
      cache: this.#cache,
    })
  }

  #refused(status: number, code: string): StorageError {
    const [problem, advice]: readonly [StorageProblem, string] =
      code === 'NoSuchBucket'
        ? ['no-bucket', 'there is no such bucket. Create it, or correct its name.']
        : status === 401 || status === 403
          ? ['forbidden', `access was denied (${describe(status, code)}). ${adviceForDenied(code)}`]
          : status === 301 || status === 307
            ? ['refused', `the bucket is not in the region ${this.#location.region}. Name its region in the URL: ?region=…`]
            : ['refused', `the storage refused a request (${describe(status, code)}).`]
    return new StorageError({ problem, place: this.place, message: `${this.place}: ${advice}` })
  }

  #fail(error: unknown): never {
    if (!(error instanceof PassingFailure)) throw error
    const message = `${this.place}: the storage failed ${this.#attempts} times in a row, the last time with: ${error.message}. Try again later.`
    throw new StorageError({ problem: 'unavailable', place: this.place, message }, { cause: error })
  }
}

function describe(status: number, code: string): string {
  return code === '' ? `status ${status}` : `status ${status}, ${code}`
}

function adviceForDenied(code: string): string {
  if (code === 'RequestTimeTooSkewed') return "Set this machine's clock."
  if (code === 'InvalidAccessKeyId' || code === 'SignatureDoesNotMatch') return 'Check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.'
  if (code === 'ExpiredToken') return 'Renew AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN.'
  return 'Allow s3:GetObject, s3:PutObject, s3:DeleteObject and s3:ListBucket on it.'
}
