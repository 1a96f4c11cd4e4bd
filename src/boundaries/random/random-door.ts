import { combine, replaceProperty, type Restore } from '../patches.ts'
import { currentScope } from '../../run/scope.ts'
import { nodeCryptoDoor, randomIntDoor } from './node-crypto-door.ts'
import { webCryptoDoor } from './web-crypto-door.ts'

/** All random sources: `Math.random()`, and the functions of both cryptos that return random bytes, integers and ids. */
export function randomDoor(): Restore {
  return combine(mathDoor(), webCryptoDoor(), nodeCryptoDoor(), randomIntDoor())
}

function mathDoor(): Restore {
  return replaceProperty(Math, 'random', (realRandom) => () => {
    const scope = currentScope()
    return scope === undefined ? realRandom() : scope.run.readRandom(scope.owner, realRandom)
  })
}
