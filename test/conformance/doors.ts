import type { ClientSource } from './client.ts'
import { fetchWithDispatcher, globalFetch, kyClient, nodeFetch, whatwgFetch } from './clients/fetch.ts'
import { httpAgent, httpGet, httpRequest, httpsAgent, httpsRequest, httpWithoutAgent } from './clients/http.ts'
import { axiosClient, axiosFetchClient, gotClient } from './clients/libraries.ts'
import { undici, type UndiciMajor, type UndiciWay } from './clients/undici.ts'

/** A way out of a program. */
export interface Door {
  readonly client: ClientSource
  /** Whether it is tried over TLS. */
  readonly secure?: true
}

const majors: readonly UndiciMajor[] = [6, 7, 8]
const ways: readonly UndiciWay[] = ['fetch', 'request', 'stream', 'Client', 'Pool', 'Agent', 'fetch + Agent']

/** All doors, by name, in the order of the table's rows. */
export const doors: Readonly<Record<string, Door>> = {
  fetch: { client: globalFetch },
  'fetch + Agent': { client: fetchWithDispatcher },
  ...Object.fromEntries(
    majors.flatMap((major) => ways.map((way): [string, Door] => [`undici ${major} ${way}`, { client: undici(major, way) }])),
  ),
  'http.request': { client: httpRequest },
  'http.get': { client: httpGet },
  'http + Agent': { client: httpAgent },
  'http, no agent': { client: httpWithoutAgent },
  'https.request': { client: httpsRequest, secure: true },
  'https + Agent': { client: httpsAgent, secure: true },
  axios: { client: axiosClient },
  'axios, fetch': { client: axiosFetchClient },
  got: { client: gotClient },
  'node-fetch': { client: nodeFetch },
  ky: { client: kyClient },
  '@whatwg-node/fetch': { client: whatwgFetch },
}
