import { testOrder } from './order-cases.ts'

testOrder(20)
