/** What a part of a form is told as. */
export interface Part {
  readonly name: string
  readonly filename: string
  readonly type: string
  /** Latin-1, so that bytes show. */
  readonly content: string
}

/** The parts of a multipart body, without its boundary, which is another one each time. */
export function describeParts(contentType: string, body: Buffer): Part[] {
  const boundary = /boundary="?([^";]+)/.exec(contentType)?.[1] ?? ''
  return body
    .toString('latin1')
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => {
      const [head = '', ...rest] = part.slice(2, -2).split('\r\n\r\n')
      const field = (pattern: RegExp): string => pattern.exec(head)?.[1] ?? ''
      return {
        name: field(/[; ]name="([^"]*)"/i),
        filename: field(/filename="([^"]*)"/i),
        type: field(/content-type: (.*)/i).trim(),
        content: rest.join('\r\n\r\n'),
      }
    })
}
