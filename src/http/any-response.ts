/** The head of a response, as a fetch may receive it. */
type ResponseHead = ResponseInit & { readonly status: number; readonly statusText: string }

/**
 * Creates a response with any status and reason phrase that a server can send. A fetch hands out all of them, but its class is constructed with some
 * only. Source: Fetch standard, initialize a response.
 *
 * @param make Constructs the response.
 */
export function withAnyStatus(head: ResponseHead, make: (init: ResponseInit) => Response): Response {
  return isConstructed(head) ? make(head) : withOwnHead(make({ ...head, status: 200, statusText: '' }), head)
}

/** Returns whether a response with this status and reason phrase can be constructed. */
export function isConstructed({ status, statusText }: ResponseHead): boolean {
  return status >= 200 && status <= 599 && /^[\t\u0020-\u007E\u0080-\u00FF]*$/.test(statusText)
}

function withOwnHead(response: Response, head: ResponseHead): Response {
  const { status, statusText } = head
  const clone = response.clone.bind(response)
  return Object.defineProperties(response, {
    status: { configurable: true, value: status },
    statusText: { configurable: true, value: statusText },
    ok: { configurable: true, value: status >= 200 && status <= 299 },
    clone: { configurable: true, value: () => withOwnHead(clone(), head) },
  })
}
