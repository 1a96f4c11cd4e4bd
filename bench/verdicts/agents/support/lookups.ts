import { tool } from 'goldenrun'
import type { Context } from '../context.ts'

/** A tool that the desk calls itself, and no model asks for. */
export type Lookup = (args: Readonly<Record<string, unknown>>) => Promise<string>

/** What the desk does besides talking. */
export interface Lookups {
  readonly getShop: Lookup
  readonly getHours: Lookup
  readonly listNotices: Lookup
  readonly getLimits: Lookup
  readonly countAgents: Lookup
  readonly reserveSlot: Lookup
  readonly ringBell: Lookup
  readonly fileTranscript: Lookup
  readonly closeTicket: Lookup
}

/** Creates the lookups, each a tool. */
export function createLookups(context: Context): Lookups {
  const lookup = (name: string, effect: 'read' | 'write' = 'read'): Lookup =>
    tool(name, { effect }, (args: Readonly<Record<string, unknown>>): Promise<string> => context.call(name, args))
  return {
    getShop: lookup('get_shop'),
    getHours: lookup('get_hours'),
    listNotices: lookup('list_notices'),
    getLimits: lookup('get_limits'),
    countAgents: lookup('count_agents'),
    reserveSlot: lookup('reserve_slot', 'write'),
    ringBell: lookup('ring_bell', 'write'),
    fileTranscript: lookup('file_transcript', 'write'),
    closeTicket: lookup('close_ticket', 'write'),
  }
}
