import { requestOf } from '../replay/answers/http-delivery.ts'
import { FunctionDelivery } from '../replay/answers/function-delivery.ts'
import { FunctionInput, readExchange, type ReplaySide } from '../replay/calls/replayed-input.ts'
import type { ReplayCall } from '../replay/calls/replay-call.ts'
import type { NormalRequest, RequestEdit as ModelEdit } from '../models/dialect.ts'
import { dialectNamed } from '../models/dialects.ts'
import { parseJson } from '../trace/json.ts'
import { copyValue } from '../trace/values.ts'

/**
 * A different request. For a model, its system prompt, model or messages; for a tool, its arguments; or a function that gets a copy of the JSON body
 * or of the arguments, and returns what is sent instead.
 */
export type RequestEdit = RequestParts | ((sent: never) => unknown)

/** Parts of a request that are replaced. */
export interface RequestParts extends ModelEdit {
  /** For a tool: its arguments, as the model would pass them. */
  readonly arguments?: unknown
}

/** Edits the request of a fork's step as it goes out. Changes of the system prompt and the model also apply to later calls that would send the old ones. */
export class RequestEditor {
  readonly #edit: RequestEdit
  readonly #side: ReplaySide
  #isDone = false
  /** The request of the step, as the agent made it. */
  #before: NormalRequest | undefined

  constructor(edit: RequestEdit, side: ReplaySide) {
    this.#edit = edit
    this.#side = side
  }

  /** @param isStep Whether the call is the fork's step. @returns Why it cannot be edited, as a sentence. */
  edit(call: ReplayCall, isStep: boolean): string | undefined {
    const edit = isStep && !this.#isDone ? this.#edit : this.#lasting(call)
    if (edit === undefined) return undefined
    this.#isDone = true
    try {
      return call.delivery instanceof FunctionDelivery ? this.#editFunction(call, call.delivery, edit) : this.#editExchange(call, edit)
    } catch (error) {
      // The error is not the agent's: the call is refused.
      return error instanceof Error ? error.message : String(error)
    }
  }

  /** Returns the changes that apply to every later call with the same system prompt or model as the step's call. */
  #lasting({ name, delivery }: ReplayCall): RequestParts | undefined {
    const { system, model } = typeof this.#edit === 'function' ? {} : this.#edit
    const dialect = dialectNamed(name)
    if (this.#before === undefined || dialect === undefined || delivery instanceof FunctionDelivery) return undefined
    const sent = requestOf({ delivery }).request
    if (sent === undefined) return undefined
    const request = dialect.request(parseBody(sent.body), sent.start.url)
    const parts = {
      ...(system !== undefined && request.system.join('\n') === this.#before.system.join('\n') && { system }),
      ...(model !== undefined && request.model === this.#before.model && { model }),
    }
    return Object.keys(parts).length === 0 ? undefined : parts
  }

  #editFunction(call: ReplayCall, delivery: FunctionDelivery, edit: RequestEdit): string | undefined {
    const { boundary, name } = call
    if (boundary !== 'tool' && boundary !== 'external') return undefined
    if (typeof edit !== 'function' && !('arguments' in edit)) return `"edit.request" of ${name} takes { arguments } or a function.`
    if (!delivery.isEditable)
      return `The arguments of ${name} cannot be edited, because its framework calls it with more than them. Give its answer instead: edit: { answer }.`
    const input: unknown = typeof edit === 'function' ? edit(copyValue(delivery.input) as never) : edit.arguments
    delivery.edited = { input }
    call.agentInput = call.input
    call.input = new FunctionInput(boundary, name, input, this.#side)
    return undefined
  }

  #editExchange(call: ReplayCall, edit: RequestEdit): string | undefined {
    const { boundary, name } = call
    const delivery = requestOf(call)
    if (delivery.request === undefined) return undefined
    const { start, body } = delivery.request
    const json = parseBody(body)
    const dialect = dialectNamed(name)
    if (typeof edit !== 'function' && dialect === undefined) return `"edit.request" of ${name} takes a function of the JSON that is sent.`
    if (typeof edit === 'object' && 'arguments' in edit)
      return `"arguments" are a tool's; "edit.request" of ${name} takes { system, model, messages, sampling } or a function.`
    if (json === undefined) return `"edit.request" of ${name} needs a request with a JSON body.`
    if (dialect !== undefined) this.#before ??= dialect.request(json, start.url)
    const edited =
      typeof edit === 'function' || dialect === undefined
        ? { json: (edit as (sent: unknown) => unknown)(structuredClone(json)), url: start.url }
        : dialect.editRequest(json, start.url, edit)
    const sent = { start: { ...start, url: edited.url }, body: JSON.stringify(edited.json) }
    delivery.request = sent
    call.agentInput = call.input
    call.input = readExchange(sent.start, boundary, name, sent.body, this.#side)
    return undefined
  }
}

function parseBody(body: string | Uint8Array | undefined): unknown {
  return body === undefined ? undefined : parseJson(typeof body === 'string' ? body : new TextDecoder().decode(body))
}
