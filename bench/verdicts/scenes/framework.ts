import { HEADER_CHANGES } from '../mutations/agent-headers.ts'
import { FRAMEWORK_CHANGES } from '../mutations/framework-changes.ts'
import { FRAMEWORK_REFACTORINGS } from '../mutations/framework-refactorings.ts'
import { USER_TOKEN } from '../world/account-service.ts'
import { asks, type Script, type Turn } from '../world/script.ts'
import type { Scene, Subject } from './subject.ts'

const TOWNS = ['Ghent', 'Turin', 'Lund', 'Porto', 'Graz', 'Brno', 'Split', 'Riga', 'Cork', 'Lille']

/** An agent on the AI SDK that uses the SDK's own tool loop. */
export const framework: Subject = {
  name: 'framework',
  scenes: TOWNS.map((town, index): Scene => ({
    name: `trip-${town.toLowerCase()}`,
    input: { town, nights: 2 + (index % 3), userToken: USER_TOKEN },
    createScript: () => createScript(town, index),
  })),
  mutations: [...FRAMEWORK_CHANGES, ...FRAMEWORK_REFACTORINGS, ...HEADER_CHANGES.framework],
}

function createScript(town: string, index: number): Script {
  const turns: Turn[] = [
    { text: 'I look.', calls: [asks('call_1', 'find_trains', { to: town })] },
    { text: null, calls: [asks('call_2', 'find_rooms', { town, nights: 2 + (index % 3) })] },
    { text: null, calls: [asks('call_3', 'book', { id: `train-${index}` })] },
    ...(index % 2 === 0 ? [] : [{ text: null, calls: [asks('call_4', 'book', { id: `room-${index}` })] }]),
    { text: `All is booked in ${town}.` },
    { text: `Dear traveller, you go to ${town} and it will be very nice there.`, pieceMs: 3 },
  ]
  return ({ name }) => {
    if (name === 'model') return { turn: turns.shift() ?? { text: 'There is nothing more.' } }
    if (name === 'find_trains') return { value: { trains: [`train-${index}`], price: 40 + index } }
    if (name === 'find_rooms') return { value: { rooms: [`room-${index}`], price: 90 + index } }
    return { value: name === 'book' ? { booked: true } : undefined }
  }
}
