import { drivers } from './sqlite-drivers.ts'
import {
  setUpOrders,
  testInMemory,
  testManyRows,
  testRowsOneByOne,
  testSecretRows,
  testSharedDatabase,
} from '../../support/sqlite-orders.ts'

setUpOrders()

testRowsOneByOne(drivers.slice(1))

testSharedDatabase(drivers.slice(1))

testSecretRows(drivers.slice(1))

testManyRows(drivers.slice(1))

testInMemory(drivers.slice(1))
