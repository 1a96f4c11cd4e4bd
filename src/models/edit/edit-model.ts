import { textOf } from '../json-fields.ts'
import { deploymentInPath, modelInPath, urlPath, withModelInPath } from '../url-path.ts'
import type { OpenRequest } from './request-editor.ts'

/**
 * Replaces the model of a dialect that names it in the body. The address names it as well for Azure's deployments, which answer whatever model the
 * body names, and for Claude on Vertex.
 */
export function editModel({ body, url }: OpenRequest, model: string): OpenRequest {
  const isInBody = textOf(body['model']) !== undefined
  const isInPath = isPathTheModel(url) || (!isInBody && modelInPath(url) !== '')
  return { body: isInBody || !isInPath ? { ...body, model } : body, url: isInPath ? withModelInPath(url, model) : url }
}

/** Replaces the model of a dialect that names it in the address. */
export function editModelInPath({ body, url }: OpenRequest, model: string): OpenRequest {
  return { body, url: withModelInPath(url, model) }
}

/** Returns why the model in an address cannot be replaced by `model`; undefined if it can. */
export function modelInTheWay(url: string, model: string): string | undefined {
  const collection = /\/(tunedModels|endpoints)\/[^/]*$/.exec(urlPath(url))?.[1]
  if (collection !== undefined) return `its address names one of your ${collection === 'endpoints' ? 'endpoints' : 'tuned models'}`
  return model.includes('/') ? `the new name (${model}) has a slash, and the address takes only the last part of a name` : undefined
}

function isPathTheModel(url: string): boolean {
  return deploymentInPath(url) !== undefined || /:(?:streamR|r)awPredict$/.test(urlPath(url))
}
