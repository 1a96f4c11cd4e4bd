import { dialectNamed } from '../models/dialects.ts'
import type { Boundary } from '../trace/boundary.ts'
import { toPath } from '../trace/path.ts'
import type { FieldDifference } from './divergence.ts'
import { normalInput } from './normal-input.ts'
import { isFields } from './same-value.ts'

/** The parts that two differing inputs share: parts of a request without a difference, arguments of a function that are equal. */
export function agreeingParts(boundary: Boundary, name: string, recorded: unknown, differences: readonly FieldDifference[]): string[] {
  const { args, query, body, ...rest } = normalInput(boundary, name, recorded)
  if (isFields(args)) {
    if (differences.some(({ path }) => path === 'args')) return []
    const paths = Object.keys(args).map((key) => toPath(['args', key], ''))
    const different = placesAround(differences)
    return paths.filter((path) => !different.has(path))
  }
  const parts = new Set<string>(Object.keys(rest))
  if (query !== undefined) parts.add('url')
  if (body !== undefined) for (const part of boundary === 'model' ? partsOfRequest(name, body) : ['body']) parts.add(part)
  if (isFields(rest.headers) && Object.keys(rest.headers).length === 0) parts.delete('headers')
  return [...parts].filter((part) => !differences.some((difference) => difference.part === part))
}

function partsOfRequest(name: string, body: unknown): string[] {
  const dialect = dialectNamed(name)
  if (dialect === undefined || !isFields(body)) return ['body']
  return Object.entries(body).flatMap(([field, value]) => {
    const paths = Array.isArray(value) && value.length > 0 ? [...value.keys()].map((index) => [field, index]) : [[field]]
    return paths.map((path) => dialect.requestPart(path, body, body))
  })
}

/** The places that differences lie at or within: of `args.order.id` also `args.order` and `args`. */
function placesAround(differences: readonly FieldDifference[]): ReadonlySet<string> {
  const places = new Set<string>()
  for (const { path } of differences) {
    places.add(path)
    for (const { index } of path.matchAll(/[.[]/g)) places.add(path.slice(0, index))
  }
  return places
}
