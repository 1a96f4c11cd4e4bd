import { hostOf } from '../http/host-of.ts'
import { isRead } from '../replay/calls/is-read.ts'
import type { Route } from '../replay/contract/route.ts'
import type { ReplayCall } from '../replay/calls/replay-call.ts'
import type { Boundary, RequestEffects } from '../trace/boundary.ts'
import type { HttpInput } from '../trace/rows.ts'
import { fromRecorded } from '../trace/values.ts'

/** How calls are routed if no rule names them. */
export type Then = 'recorded' | 'sandbox' | 'live'

/** A call that a fork routes. */
export interface RoutedCall {
  readonly boundary: Boundary
  /** A tool's or external's name; a model call's dialect (`openai.chat`); a plain HTTP call's host. */
  readonly name: string
  /** The database driver that makes the call. */
  readonly driver?: string
  /** A request's host, with its port if it is not the default. */
  readonly host?: string
  /** A tool's arguments; an `HttpInput` for `model` and `http`. Redacted. */
  readonly input: unknown
  /** Whether the call may change something outside. A tool with an unknown effect may. */
  readonly isWrite: boolean
}

/** Every route. */
export const allRoutes: readonly Route[] = ['recorded', 'sandbox', 'run', 'live', 'refuse']

/** Returns the problem of a rule, as the end of a sentence; undefined if it is valid. */
export function routeProblem(rule: unknown): string | undefined {
  const routes: readonly unknown[] = Array.isArray(rule) ? rule : [rule]
  const wrong = routes.find((route) => !allRoutes.includes(route as Route))
  if (routes.length > 0 && wrong === undefined) return undefined
  return `has to be ${allRoutes.map((route) => `'${route}'`).join(', ')}, or several of them, got ${routes.length === 0 ? 'none' : JSON.stringify(wrong)}.`
}

/** One route, several that are tried in order, or a function that chooses. */
export type RouteRule = Route | readonly Route[] | ((call: RoutedCall) => Route | readonly Route[])

/** The routes of a call, in the order in which they are tried. */
export interface CallRoutes {
  readonly routes: readonly Route[]
  /** Whether a rule names the call's tool or host. */
  readonly isNamed: boolean
  /** Whether any rule applies to the call, including a rule for its boundary. */
  readonly isRuled: boolean
}

/** Returns the routes of a call: by the rule for its name, driver, host or boundary, in this order, else by the preset. */
export function routesOf(call: RoutedCall, rules: Readonly<Record<string, RouteRule>>, then: Then): CallRoutes {
  const key = [call.name, call.driver, call.host, call.boundary].find((name) => name !== undefined && Object.hasOwn(rules, name))
  const rule = key === undefined ? undefined : rules[key]
  if (rule === undefined) return { routes: usualRoutes(call, then), isNamed: false, isRuled: false }
  const chosen = typeof rule === 'function' ? chooseBy(rule, key ?? '', call) : rule
  return {
    routes: typeof chosen === 'string' ? [chosen] : chosen,
    isNamed: key !== call.boundary && call.boundary !== 'model',
    isRuled: true,
  }
}

/** Returns the routes of a call that no rule names. */
function usualRoutes({ boundary, isWrite }: RoutedCall, then: Then): readonly Route[] {
  if (then !== 'live') return ['recorded', 'sandbox']
  if (boundary === 'model') return ['live']
  return isWrite ? ['recorded', 'sandbox'] : ['recorded', 'run']
}

/** @throws Error with the problem, if a function throws or does not return a route. */
function chooseBy(rule: (call: RoutedCall) => Route | readonly Route[], name: string, call: RoutedCall): Route | readonly Route[] {
  let chosen: Route | readonly Route[]
  try {
    chosen = rule(call)
  } catch (error) {
    throw new Error(`The function route[${JSON.stringify(name)}] threw ${String(error)}.`, { cause: error })
  }
  const problem = routeProblem(chosen)
  if (problem !== undefined) throw new Error(`What the function route[${JSON.stringify(name)}] returns ${problem}`)
  return chosen
}

/** Returns a call in the form that rules see. @param effects The declared effects of requests. */
export function toRoutedCall(call: ReplayCall, effects: RequestEffects | undefined): RoutedCall {
  const { boundary, name, driver } = call
  const input = fromRecorded((call.input?.value ?? null) as never)
  const isRequest = boundary === 'http' || boundary === 'model'
  return {
    boundary,
    name,
    ...(driver !== undefined && { driver }),
    ...(isRequest && { host: hostOf((input as HttpInput).url).address }),
    input,
    isWrite: mayChange(call, effects),
  }
}

/** Whether a call may change something. Calls inside a read-only tool only read. */
function mayChange(call: ReplayCall, effects: RequestEffects | undefined): boolean {
  if (call.boundary === 'model' || isRead(call, effects)) return false
  if (call.boundary !== 'http') return true
  for (let above = call.owner; above !== undefined; above = above.owner) if (above.effect === 'read') return false
  return true
}
