import { orElse } from '../trace/or-else.ts'

/** Returns the path of a URL, without query, fragment and trailing slash. Scans the text, because it runs for every HTTP request. */
export function urlPath(url: string): string {
  const end = url.search(/[?#]/)
  const path = end === -1 ? url : url.slice(0, end)
  return path.endsWith('/') ? path.slice(0, -1) : path
}

/** Returns the host of a URL, without its port; empty for a URL without a host. */
export function hostnameOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : ''
}

/**
 * Returns the operation in a model call's address, of any dialect: the last part of its path (`/completions`, `:streamGenerateContent`, `/converse`).
 * The rest is the base URL, with any prefix of a gateway, and the model if the address names it.
 */
export function endpointInPath(url: string): string {
  return /[/:][^/:]*$/.exec(urlPath(url))?.[0] ?? ''
}

/** Returns the deployment in an Azure URL, which answers whatever model the body names. Undefined if there is none. */
export function deploymentInPath(url: string): string | undefined {
  return /\/deployments\/[^/?#]+\//.test(url) ? modelInPath(url) : undefined
}

/**
 * Returns the model that a URL names: `/model/<id>/…` at Bedrock, `/models/<id>:…` at Google, `/deployments/<id>/…` at Azure. Empty if there is none.
 *
 * @note A Bedrock id may contain a colon (`…-v1:0`), which not every client encodes.
 */
export function modelInPath(url: string): string {
  return decodedOrAsIs(MODEL_IN_PATH.exec(url)?.[0] ?? '')
}

/** Decodes a part of a URL; one that is not encoded, which may contain a stray percent sign, stays as it is. */
export function decodedOrAsIs(text: string): string {
  return orElse(() => decodeURIComponent(text), text)
}

/** Returns a URL with its model replaced. A URL that names no model stays as it is. */
export function withModelInPath(url: string, model: string): string {
  // Google's ids may contain an `@`, which its clients do not encode.
  return url.replace(MODEL_IN_PATH, () => encodeURIComponent(model).replaceAll('%40', '@'))
}

const MODEL_IN_PATH = /(?<=\/model\/)[^/?#]+|(?<=\/(?:models|tunedModels|endpoints|deployments)\/)[^/:?#]+/
