import { tool as define, type ToolSet } from 'ai'
import { tool } from 'goldenrun'
import { z } from 'zod'
import type { Context } from '../context.ts'

/** The tools of the model, in the form of the AI SDK. */
export function createTools(context: Context, trip: string): ToolSet {
  const findTrains = tool('find_trains', { effect: 'read' }, (args: object): Promise<object> => context.call('find_trains', args))
  const findRooms = tool('find_rooms', { effect: 'read' }, (args: object): Promise<object> => context.call('find_rooms', args))
  const book = tool('book', { effect: 'write' }, (args: object): Promise<object> => context.call('book', args))
  return {
    find_trains: define({
      description: 'Find trains to a town.',
      inputSchema: z.object({ to: z.string() }),
      execute: ({ to }) => findTrains({ to, trip }),
    }),
    find_rooms: define({
      description: 'Find rooms in a town.',
      inputSchema: z.object({ town: z.string(), nights: z.number() }),
      execute: ({ town, nights }) => findRooms({ town, nights, trip }),
    }),
    book: define({
      description: 'Book what was found.',
      inputSchema: z.object({ id: z.string() }),
      execute: ({ id }) => book({ id, trip, key: crypto.randomUUID(), at: Date.now() }),
    }),
  }
}
