/**
 * From here on SDKs take an error for an answer: they are told not to ask again, so that the tests of others lose no seconds over each request that
 * they refuse.
 *
 * @returns What puts an end to it.
 */
export function refuseOnce(): () => void {
  const { fetch: original } = globalThis
  globalThis.fetch = async (...request) => {
    const response = await original(...request)
    if (response.ok) return response
    const headers = new Headers(response.headers)
    headers.set('x-should-retry', 'false')
    return new Response(response.body, { status: response.status, statusText: response.statusText, headers })
  }
  return () => {
    globalThis.fetch = original
  }
}
