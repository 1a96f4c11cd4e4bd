import { combine, replaceProperty, type Restore } from '../patches.ts'
import { withPort } from './contact.ts'
import { makeContact } from './make-contact.ts'

type Inspector = Pick<typeof import('node:inspector'), 'open'>

/** The inspector: a port through which others may access the process. Not every build of Node has it. */
export function inspectorDoor(): Restore {
  const { getBuiltinModule } = process
  const modules: (Inspector | undefined)[] = [getBuiltinModule('node:inspector'), getBuiltinModule('node:inspector/promises')]
  return combine(...modules.filter((inspector) => inspector !== undefined).map(openDoor))
}

function openDoor(inspector: Inspector): Restore {
  return replaceProperty(inspector, 'open', (original) => {
    return new Proxy(original, {
      apply(target, self, args: Parameters<Inspector['open']>) {
        const [port = 9229, host = '127.0.0.1'] = args
        return makeContact(
          () => ({ door: 'inspector', host: withPort(host, port) }),
          () => Reflect.apply(target, self, args),
          ({ error }) => {
            throw error
          },
        )
      },
    })
  })
}
