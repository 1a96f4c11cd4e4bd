import type { NormalRequest } from './normal-request.ts'
import { isFailure, type Turn } from './turn.ts'

/** A place of a conversation: the turn that answers it, and the failures that come before. */
interface Place {
  readonly failures: readonly Turn[]
  readonly answer: Turn | undefined
}

/**
 * Makes a list of turns a function of the request, see `Script`. Throws where a conversation goes on after the list's end.
 */
export function playList(turns: readonly Turn[]): (request: NormalRequest) => Turn {
  const places = toPlaces(turns)
  const failuresSent = new Map<string, number>()
  return (request) => {
    const place = places[request.turn]
    const key = JSON.stringify([request.turn, request.system, request.messages[0]])
    const sent = failuresSent.get(key) ?? 0
    const failure = place?.failures[sent]
    if (failure !== undefined) {
      failuresSent.set(key, sent + 1)
      return failure
    }
    failuresSent.delete(key)
    if (place?.answer === undefined)
      throw new Error(`The script answers ${places.filter(hasAnswer).length} turns, this is turn ${request.turn + 1}.`)
    return place.answer
  }
}

function toPlaces(turns: readonly Turn[]): Place[] {
  const places: Place[] = []
  let failures: Turn[] = []
  for (const turn of turns) {
    if (isFailure(turn)) {
      failures.push(turn)
      continue
    }
    places.push({ failures, answer: turn })
    failures = []
  }
  return failures.length > 0 ? [...places, { failures, answer: undefined }] : places
}

function hasAnswer(place: Place): boolean {
  return place.answer !== undefined
}
