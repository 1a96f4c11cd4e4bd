import { knownOrMade } from '../../trace/remember.ts'
import { isConstructed, withAnyStatus } from '../../http/any-response.ts'
import { defineOwn } from '../patches.ts'
import { ArrivingBody } from './arriving-body.ts'

interface Classes {
  readonly streamed: ResponseClass<BodyInit | null>
  readonly whole: ResponseClass<string>
}

const classes = new WeakMap<typeof Response, Classes>()

/**
 * Creates the response of a fetch, which has the fetch's URL, as do its clones. To the program it is an ordinary `Response`, of the current
 * class of that name, which is accessed lazily because Node loads all of its fetch with it.
 *
 * @param body A text gets no content type unless the headers have one.
 */
export function createFetchedResponse(
  body: BodyInit | null,
  { status = 200, statusText = '', headers = {} }: ResponseInit,
  fetched: Fetched,
): Response {
  const known = knownOrMade(classes, Response, () => classesOf(Response))
  const head = { status, statusText }
  if (typeof body === 'string' && isReadAsWritten(body) && isConstructed(head)) {
    return withHeaders(new known.whole(body, head, fetched), headers)
  }
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  return withHeaders(
    withAnyStatus(head, (init) => new known.streamed(bytes, init, fetched)),
    headers,
  )
}

/** Headers that a constructor gets as a list cost four times as much as appended ones. */
function withHeaders(response: Response, headers: HeadersInit): Response {
  const own = response.headers
  for (const [name, value] of Array.isArray(headers) ? headers : new Headers(headers)) own.append(name ?? '', value ?? '')
  return response
}

/** Classes instead of properties of each response, because such properties cost as much as creating the response. */
function classesOf(Base: typeof Response): Classes {
  class FetchedResponse extends Base {
    readonly #fetched: Fetched

    constructor(body: BodyInit | null, init: ResponseInit, fetched: Fetched) {
      super(body, init)
      this.#fetched = fetched
    }

    override get url(): string {
      return this.#fetched.url
    }

    override get redirected(): boolean {
      return this.#fetched.redirected
    }

    override get type(): ResponseType {
      return 'basic'
    }

    override clone(): Response {
      const copy = super.clone()
      return new FetchedResponse(copy.body, copy, this.#fetched)
    }
  }
  const made: Classes = { streamed: FetchedResponse, whole: wholeClassOf(FetchedResponse) }
  for (const { prototype } of Object.values(made)) defineOwn(prototype, 'constructor', Base)
  return made
}

/** Properties of a response that only a fetch can set. */
interface Fetched {
  readonly url: string
  readonly redirected: boolean
  /** The signal of the fetch. It takes away a body that is not read yet. */
  readonly signal?: AbortSignal | undefined
}

type ResponseClass<Body> = new (body: Body, init: ResponseInit, fetched: Fetched) => Response

/**
 * Returns whether a text survives UTF-8 encoding and decoding: malformed parts are replaced, and a byte order mark is dropped (Encoding
 * standard).
 */
function isReadAsWritten(text: string): boolean {
  return text.isWellFormed() && !text.startsWith('\uFEFF')
}

/**
 * The response of a fetch whose body is an available text. `text()` and `json()` use it directly; a stream is only created for other
 * methods. Most clients use one of the two, and the stream costs more than the rest of a response.
 *
 * @note Methods taken from `Response.prototype` itself and called on the response find no body (`docs/doors.md`).
 */
function wholeClassOf(Streamed: ResponseClass<BodyInit | null>): ResponseClass<string> {
  return class WholeResponse extends Streamed {
    readonly #text: string
    readonly #fetched: Fetched
    #isRead = false
    #streamed: Response | undefined

    constructor(text: string, init: ResponseInit, fetched: Fetched) {
      super(null, init, fetched)
      this.#text = text
      this.#fetched = fetched
    }

    override get body(): Response['body'] {
      return this.#stream().body
    }

    override get bodyUsed(): boolean {
      return this.#isRead || this.#streamed?.bodyUsed === true
    }

    override async text(): Promise<string> {
      this.#checkAbort()
      return this.#isUntouched ? this.#read() : await this.#stream().text()
    }

    override async json(): Promise<unknown> {
      this.#checkAbort()
      return this.#isUntouched ? JSON.parse(this.#read()) : await this.#stream().json()
    }

    override arrayBuffer(): ReturnType<Response['arrayBuffer']> {
      return this.#stream().arrayBuffer()
    }

    override bytes(): ReturnType<Response['bytes']> {
      return this.#stream().bytes()
    }

    override blob(): ReturnType<Response['blob']> {
      return this.#stream().blob()
    }

    override formData(): ReturnType<Response['formData']> {
      return this.#stream().formData()
    }

    override clone(): Response {
      const head = super.clone()
      return this.#isUntouched
        ? new WholeResponse(this.#text, head, this.#fetched)
        : new Streamed(this.#stream().clone().body, head, this.#fetched)
    }

    get #isUntouched(): boolean {
      return !this.#isRead && this.#streamed === undefined
    }

    /** Throws the reason of an abort before the body was read. */
    #checkAbort(): void {
      if (this.#isUntouched) this.#fetched.signal?.throwIfAborted()
    }

    #read(): string {
      this.#isRead = true
      return this.#text
    }

    /** The same response with a stream, already read if this one is. */
    #stream(): Response {
      if (this.#streamed === undefined) {
        // The type decides what `blob` and `formData` give. The other headers are read here. A text without a type would get one.
        const type = this.headers.get('content-type')
        const init: ResponseInit = type === null ? {} : { headers: [['content-type', type]] }
        this.#streamed = new Streamed(this.#bodyOf(type), init, this.#fetched)
        if (this.#isRead) void this.#streamed.arrayBuffer()
      }
      return this.#streamed
    }

    #bodyOf(type: string | null): BodyInit {
      const { signal } = this.#fetched
      if (signal === undefined || this.#isRead) return type === null ? new TextEncoder().encode(this.#text) : this.#text
      const body = new ArrivingBody()
      body.add(new TextEncoder().encode(this.#text))
      body.close()
      body.follow(signal)
      return body.stream
    }
  }
}
