import { at, benign, type Edit, harmful, type Mutation } from './mutation.ts'
import { nth, type Place } from './places.ts'

const FILE = 'headers.ts'

const LOGIN = nth('POST /login')
const READ = nth('GET /account')
const CHANGE = nth('PATCH /account')

/** A header in an agent's `headers.ts`, and what it becomes. */
type Header = readonly [line: string, another: string]

/** The headers of an agent, by the kinds of their changes. */
export interface AgentHeaders {
  readonly operation: Header
  readonly tenant: Header
  readonly range: Header
  readonly preference: Header
  readonly accept: Header
  readonly language: Header
  readonly beta: Header
  readonly contentType: Header
  readonly precondition: Header
  readonly idempotency: Header
  readonly custom: Header
  readonly telemetry: Header
  readonly trace: Header
  /** The line that sends the environment's key, the variable with it, and the variable with the key of another service. */
  readonly key: readonly [line: string, variable: string, another: string]
  /** The lines that send the two tokens of the login and the user's token. */
  readonly tokens: readonly [access: string, admin: string, user: string]
}

/** Returns the changes of an agent's request headers that do harm, and those that only telemetry and the environment make. */
export function headerChanges(headers: AgentHeaders): Mutation[] {
  const [key, variable, another] = headers.key
  const [access, admin, user] = headers.tokens
  return [
    ...header('operation', READ, headers.operation),
    ...header('tenant', READ, headers.tenant),
    ...header('range', READ, headers.range),
    ...header('preference', READ, headers.preference),
    ...header('accept', READ, headers.accept),
    ...header('language', READ, headers.language),
    ...header('beta', READ, headers.beta),
    ...header('content type', CHANGE, headers.contentType),
    ...header('precondition', CHANGE, headers.precondition),
    ...header('idempotency key', CHANGE, headers.idempotency),
    ...header('custom header', CHANGE, headers.custom),
    harmful('custom header', 'one more', at(READ, 'input', 'headers'), [FILE, access, `'x-mode': 'fast',\n    ${access}`]),
    credential('swapped', 'two tokens of one answer', READ, ACCESS_IS_ADMIN, ADMIN_IS_ACCESS),
    credential('swapped', 'the token for changes, to look', READ, ACCESS_IS_ADMIN),
    credential('swapped', 'the token for looking, to change', CHANGE, ADMIN_IS_ACCESS),
    credential('dropped', 'of the environment', LOGIN, drop(key)),
    credential('dropped', 'of the login', READ, drop(access)),
    credential('dropped', 'of the login, of two', CHANGE, drop(admin)),
    credential('dropped', 'of the user', CHANGE, drop(user)),
    credential('of another origin', 'another variable', LOGIN, [FILE, variable, another]),
    { ...credential('of another origin', 'another variable of another environment', LOGIN, [FILE, variable, another]), environment: 'ci' },
    credential('of another origin', 'a variable in place of the login', READ, [
      FILE,
      'read: ({ access }) =>',
      `read: (_tokens, access = process.env['${another}'] ?? '') =>`,
    ]),
    credential('of another origin', 'a constant in place of the login', CHANGE, [
      FILE,
      'change: ({ admin }, user) =>',
      "change: (_tokens, user, admin = 'ad_0a1b2c3d4e5f6071') =>",
    ]),
    credential('of another origin', 'a constant in place of the user', CHANGE, [
      FILE,
      'change: ({ admin }, user) =>',
      "change: ({ admin }, _user, user = 'ut_0a1b2c3d4e5f6071') =>",
    ]),
    credential('of another origin', 'the login in place of the user', CHANGE, [
      FILE,
      'change: ({ admin }, user) =>',
      'change: ({ admin, access: user }) =>',
    ]),
    benign('client telemetry', 'another version', replace(headers.telemetry)),
    benign('client telemetry', 'none', drop(headers.telemetry[0])),
    benign('trace context', 'another trace', replace(headers.trace)),
    benign('trace context', 'none', drop(headers.trace[0])),
    benign('trace context', 'one more', [FILE, access, `baggage: 'release=2',\n    ${access}`]),
    { ...benign("another environment's keys", 'unchanged code'), environment: 'ci' },
  ]
}

const ACCESS_IS_ADMIN: Edit = [FILE, 'read: ({ access }) =>', 'read: ({ admin: access }) =>']
const ADMIN_IS_ACCESS: Edit = [FILE, 'change: ({ admin }, user) =>', 'change: ({ access: admin }, user) =>']

function header(kind: string, place: Place, change: Header): Mutation[] {
  return [
    harmful(kind, 'another one', at(place, 'input', 'headers'), replace(change)),
    harmful(kind, 'none', at(place, 'input', 'headers'), drop(change[0])),
  ]
}

function credential(what: string, name: string, place: Place, ...edits: readonly Edit[]): Mutation {
  return harmful(`credential ${what}`, name, at(place, 'input', 'credential'), ...edits)
}

function replace([line, another]: Header): Edit {
  return [FILE, `${line},`, `${another},`]
}

function drop(line: string): Edit {
  return [FILE, `    ${line},\n`, '']
}
