import { combine, replaceProperty, type Restore } from '../patches.ts'
import { withPort } from './contact.ts'
import { makeContact } from './make-contact.ts'

type Inspector = Pick<typeof import('node:inspector'), 'open'>

/** The inspector: a port that others may reach the process through. Not every build of Node has it. */
export function inspectorDoor(): Restore {
  const { getBuiltinModule } = process
  const modules: (Inspector | undefined)[] = [getBuiltinModule('node:inspector'), getBuiltinModule('node:inspector/promises')]
  return combine(...modules.filter((inspector) => inspector !== undefined).map(openDoor))
}

function openDoor(inspector: Inspector): Restore {
  return replaceProperty(inspector, 'open', (original) => (port, host, wait) => {
    return makeContact(
      () => ({ door: 'inspector', host: withPort(host ?? '127.0.0.1', port ?? 9229) }),
      () => original(port, host, wait),
      ({ error }) => {
        throw error
      },
    )
  })
}
