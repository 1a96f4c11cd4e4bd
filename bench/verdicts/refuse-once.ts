/**
 * Makes SDKs treat an error as final: they are told not to retry, so that the peers' tests lose no seconds over each request that
 * they refuse.
 *
 * @returns A function that undoes it.
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
