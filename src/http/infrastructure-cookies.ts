import { remember } from '../trace/remember.ts'

/** Cookies that a load balancer or a filter in front of a service sets, and the service itself never reads. */
export interface InfrastructureCookies {
  /** A name that ends with `*` stands for all names that begin like it. */
  readonly names: readonly string[]
  readonly setBy: string
}

/**
 * The cookies that a trace does not keep, in requests and in answers: which machine of a service answers next, and whether a filter takes the client for
 * a robot. They are different in each answer. `docs/doors.md` has the same table.
 */
export const infrastructureCookies: readonly InfrastructureCookies[] = [
  { names: ['__cf_bm', '_cfuvid', '__cflb', '__cfruid'], setBy: 'Cloudflare' },
  { names: ['AWSALB', 'AWSALBCORS', 'AWSALBTG', 'AWSALBTGCORS', 'AWSELB', 'AWSELBCORS'], setBy: "AWS's load balancers" },
  { names: ['ARRAffinity', 'ARRAffinitySameSite', 'ASLBSA', 'ASLBSACORS'], setBy: 'Azure' },
  { names: ['GCLB'], setBy: "Google Cloud's load balancers" },
  { names: ['heroku-session-affinity'], setBy: 'Heroku' },
  { names: ['ak_bmsc', 'bm_mi', 'bm_sv', 'bm_sz'], setBy: 'Akamai' },
  { names: ['incap_ses_*', 'nlbi_*', 'visid_incap_*'], setBy: 'Imperva' },
  { names: ['BIGipServer*'], setBy: 'F5' },
]

const names = infrastructureCookies.flatMap((row) => row.names)
const exact = new Set(names.filter((name) => !name.endsWith('*')))
const starts = names.flatMap((name) => (name.endsWith('*') ? [name.slice(0, -1)] : []))

const isNamed: (name: string) => boolean = remember((name: string) => exact.has(name) || starts.some((start) => name.startsWith(start)))

/** Returns whether a cookie is left out. @param cookie Its text from the name on: `name=value; Path=/`. */
export function isInfrastructureCookie(cookie: string): boolean {
  const sign = cookie.indexOf('=')
  return sign > 0 && isNamed(cookie.slice(0, sign).trim())
}

/** Returns the value of a `cookie` header without the cookies that are left out. Empty if it has no other. */
export function withoutInfrastructureCookies(value: string): string {
  const cookies = value.split(/;\s*/)
  return cookies.some(isInfrastructureCookie) ? cookies.filter((cookie) => !isInfrastructureCookie(cookie)).join('; ') : value
}
