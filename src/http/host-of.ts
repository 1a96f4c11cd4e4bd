import { remember } from '../node/remember.ts'

/** The host of a URL: with its port, and without. */
export interface Host {
  readonly host: string
  readonly hostname: string
}

/** The host of a URL. */
export const hostOf: (url: string) => Host = remember((url) => {
  const { host, hostname } = new URL(url)
  return { host, hostname }
})
