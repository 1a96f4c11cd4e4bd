/** Names of parameters whose values are secrets. */
const SECRET = /key|secret|token|password|credential|signature/i

/** Masks passwords and other secrets in a URL, for messages and recordings: `redis://user:***@host:6379/0`. */
export function maskUrl(text: string): string {
  const url = URL.parse(text)
  // A URL that cannot be parsed may have a secret anywhere before its host.
  if (url === null) return text.replace(/^([\w+.-]+:\/\/)[^/]*@/, '$1***@').replace(/\?.*$/s, '')
  if (url.password !== '') url.password = '***'
  // In `s3:`, the user name is an access key.
  if (url.protocol === 's3:' && url.username !== '') url.username = '***'
  for (const [name, value] of new URLSearchParams(url.searchParams)) {
    if (SECRET.test(name)) url.searchParams.set(name, '***')
    else if (value.includes('@') && URL.canParse(value)) url.searchParams.set(name, maskUrl(value))
  }
  return url.href
}
