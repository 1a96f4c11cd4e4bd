/** The path of a URL: no query, no fragment, no slash at its end. By scanning, because it runs for every HTTP request. */
export function urlPath(url: string): string {
  const end = url.search(/[?#]/)
  const path = end === -1 ? url : url.slice(0, end)
  return path.endsWith('/') ? path.slice(0, -1) : path
}
