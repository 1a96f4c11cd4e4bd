const multipart = /^multipart\/[^;]+;.*?\bboundary=(?:"([^"]+)"|([^\s;]+))/i

/** The word that stands for every multipart boundary: clients draw a new one for each request. */
const fixedBoundary = 'boundary'

/** The boundary that a content type names, or undefined when it is not a multipart one. */
export function boundaryOf(contentType: string): string | undefined {
  const match = multipart.exec(contentType)
  return match?.[1] ?? match?.[2]
}

/** A multipart body whose parts are parted by one fixed word. */
export function fixBoundary(body: string, boundary: string): string {
  return body.replaceAll(`--${boundary}`, `--${fixedBoundary}`)
}

/** The content type of such a body. */
export function fixContentType(contentType: string, boundary: string): string {
  return contentType.replace(boundary, fixedBoundary)
}
