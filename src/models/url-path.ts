/** The path of a URL: no query, no fragment, no slash at its end. By scanning, because it runs for every HTTP request. */
export function urlPath(url: string): string {
  const end = url.search(/[?#]/)
  const path = end === -1 ? url : url.slice(0, end)
  return path.endsWith('/') ? path.slice(0, -1) : path
}

/**
 * What an address asks of a model, of any dialect: the last part of its path (`/completions`, `:streamGenerateContent`, `/converse`). What stands
 * before it is the base URL, with whatever prefix a gateway has, and the model where the address names it.
 */
export function endpointInPath(url: string): string {
  return /[/:][^/:]*$/.exec(urlPath(url))?.[0] ?? ''
}

/** The deployment that a URL of Azure's names, and that answers whatever model the body names. Undefined where it names none. */
export function deploymentInPath(url: string): string | undefined {
  return /\/deployments\/[^/?#]+\//.test(url) ? modelInPath(url) : undefined
}

/**
 * The model that a URL names: `/model/<id>/…` at Bedrock, `/models/<id>:…` at Google, `/deployments/<id>/…` at Azure. Empty where it names none.
 *
 * @note An id of Bedrock's may have a colon of its own (`…-v1:0`), which not every client encodes.
 */
export function modelInPath(url: string): string {
  const [, bedrock, other] = /\/model\/([^/?#]+)|\/(?:models|tunedModels|endpoints|deployments)\/([^/:?#]+)/.exec(url) ?? []
  const name = bedrock ?? other ?? ''
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
