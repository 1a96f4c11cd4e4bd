import { HEADER_CHANGES } from '../mutations/agent-headers.ts'
import { RESEARCH_CHANGES } from '../mutations/research-changes.ts'
import { RESEARCH_REFACTORINGS } from '../mutations/research-refactorings.ts'
import { USER_TOKEN } from '../world/account-service.ts'
import type { Script } from '../world/script.ts'
import type { Fields } from '../mutations/places.ts'
import type { Scene, Subject } from './subject.ts'

const SUBJECTS = ['tea', 'rain', 'bees', 'salt', 'glass', 'paper', 'moss', 'steam', 'wool', 'chalk']

/** Searches in parallel, pages in parallel, streams in parallel, and a report. */
export const research: Subject = {
  name: 'research',
  scenes: SUBJECTS.map(toScene),
  mutations: [...RESEARCH_CHANGES, ...RESEARCH_REFACTORINGS, ...HEADER_CHANGES.research],
}

function toScene(subject: string, index: number): Scene {
  const topics = ['origin', 'trade', 'chemistry', 'future', 'price', 'law']
    .slice(0, 5 + (index % 2))
    .map((topic) => `${topic} of ${subject}`)
  return {
    name: `research-${subject}`,
    input: { question: `What is there to know of ${subject}?`, topics, userToken: USER_TOKEN },
    createScript: () => createScript(subject, topics),
  }
}

/** Concurrent calls are answered this far apart, so that no machine swaps them. */
const APART_MS = 16

function createScript(subject: string, topics: readonly string[]): Script {
  const placeOf = (text: string): number =>
    Math.max(
      0,
      topics.findIndex((topic) => text.startsWith(topic)),
    )
  return ({ name, input, count }) => {
    const fields: Fields = input
    if (name === 'search')
      return { ms: 10 + APART_MS * placeOf(String(fields.query)), value: toFound(subject, placeOf(String(fields.query))) }
    if (name === 'save_report') return { value: { id: `report-${subject}` } }
    if (name === 'index_report') return { value: undefined }
    if (name.startsWith('GET /pages/'))
      return { ms: 10 + APART_MS * Number(name.at(-1)), value: { text: `Page ${name.at(-1)} of ${subject} tells much.` } }
    if (name !== 'model') return { value: { ok: true } }
    const [{ content: system }, { content: text }] = fields.messages
    if (String(system).includes('summarise'))
      return {
        ms: 10 + APART_MS * 2 * placeOf(text),
        turn: { text: `In short, all there is on number ${placeOf(text)}: it is so.`, pieceMs: 1 },
      }
    return { turn: { text: `${String(system)} (${count}) Of ${subject} there is much to tell.` } }
  }
}

function toFound(subject: string, place: number): unknown {
  return {
    hits: new Map(place < 3 ? [[`Title ${place} of ${subject}`, `page-${place}`]] : []),
    tags: new Set([subject, `tag-${place}`]),
    bytes: 9_007_199_254_740_993n + BigInt(place),
    cursor: undefined,
  }
}
