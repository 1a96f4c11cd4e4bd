/** What only a fetch can say of its response. */
export interface Fetched {
  readonly url: string
  readonly redirected: boolean
}

type ResponseClass = new (body: BodyInit | null, init: ResponseInit, fetched: Fetched) => Response

const classes = new WeakMap<typeof Response, ResponseClass>()

/**
 * The response of a fetch: it, and its clones, say where they came from. To the program it is a `Response` like any other, of the class that
 * has that name now: nothing touches it earlier, because Node loads all of its fetch with it.
 */
export function createFetchedResponse(body: BodyInit | null, init: ResponseInit, fetched: Fetched): Response {
  let known = classes.get(Response)
  if (known === undefined) classes.set(Response, (known = fetchedClassOf(Response)))
  return new known(body, init, fetched)
}

/** A class, and not properties of each response: those cost as much as making it. */
function fetchedClassOf(Base: typeof Response): ResponseClass {
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
  Object.defineProperty(FetchedResponse.prototype, 'constructor', { value: Base, configurable: true, writable: true })
  return FetchedResponse
}
