import { type Fetched, isReadAsWritten, type ResponseClass, wholeClassOf } from './whole-response.ts'

interface Classes {
  readonly streamed: ResponseClass<BodyInit | null>
  readonly whole: ResponseClass<string>
}

const classes = new WeakMap<typeof Response, Classes>()

/**
 * The response of a fetch: it and its clones have their URL. To the program it is an ordinary `Response`, of the current class of that
 * name, which is accessed lazily because Node loads all of its fetch with it.
 *
 * @param body A text gets no content type unless the headers have one.
 */
export function createFetchedResponse(body: BodyInit | null, init: ResponseInit, fetched: Fetched): Response {
  let known = classes.get(Response)
  if (known === undefined) classes.set(Response, (known = classesOf(Response)))
  if (typeof body !== 'string') return new known.streamed(body, init, fetched)
  return isReadAsWritten(body) ? new known.whole(body, init, fetched) : new known.streamed(new TextEncoder().encode(body), init, fetched)
}

/** Classes instead of properties of each response, which cost as much as creating it. */
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
  for (const { prototype } of Object.values(made)) {
    Object.defineProperty(prototype, 'constructor', { value: Base, configurable: true, writable: true })
  }
  return made
}
