import { createFetchClient, type FetchLike } from './fetch-client.ts'
import type { ClientSource } from '../client.ts'

/** `fetch`, taken hold of when the client is built, under another name. */
export const globalFetch: ClientSource = async () => {
  const { fetch: held } = globalThis
  return createFetchClient(held)
}

/** `fetch` with a dispatcher of the copy of undici on npm that speaks its language. */
export const fetchWithDispatcher: ClientSource = async () => {
  const { fetch: held } = globalThis
  const major = process.versions.undici?.split('.')[0]
  const { Agent } = major === '6' ? await import('undici6') : major === '7' ? await import('undici7') : await import('undici')
  const dispatcher = new Agent()
  return { ...createFetchClient(held, { init: { dispatcher } }), close: () => dispatcher.destroy() }
}

/** ky, a client around whatever `fetch` is when it is called. */
export const kyClient: ClientSource = async () => {
  const { default: ky } = await import('ky')
  return createFetchClient((url, init) => ky(url, { ...init, retry: 0, throwHttpErrors: false, timeout: false }))
}

/** The Fetch polyfill of The Guild, which speaks `node:http`. */
export const whatwgFetch: ClientSource = async () => {
  const { fetch, FormData } = await import('@whatwg-node/fetch')
  return createFetchClient(fetch, { FormData, lacks: ['below'] })
}

/** node-fetch, which speaks `node:http`. */
export const nodeFetch: ClientSource = async () => {
  const { default: fetch, FormData } = await import('node-fetch')
  const send: unknown = fetch
  const Data: unknown = FormData
  return createFetchClient(send as FetchLike, { FormData: Data as typeof globalThis.FormData, lacks: ['tee', 'below'] })
}
