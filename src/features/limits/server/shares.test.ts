import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AccountId } from '#lib/server/db.ts'
import { Random } from '#test/soak/random.ts'
import { shareOfPlaces } from './shares.ts'

const id = (value: number) => value as AccountId
const sharesOf = (free: number, accounts: { people: number; wanted: number }[]) => {
	const all = accounts.map((one, at) => ({ accountId: id(at + 1), ...one }))
	return all.map(({ accountId }) => shareOfPlaces(free, { accountId, accounts: all }))
}

test('shareOfPlaces raises the accounts with the fewest people first, and gives no account more than it wants', () => {
	assert.deepEqual(
		sharesOf(2000, [
			{ people: 0, wanted: 12_000 },
			{ people: 0, wanted: 12_000 },
		]),
		[1000, 1000],
	)
	assert.deepEqual(
		sharesOf(80, [
			{ people: 2000, wanted: 9000 },
			{ people: 0, wanted: 9000 },
		]),
		[0, 80],
	)
	assert.deepEqual(
		sharesOf(100, [
			{ people: 40, wanted: 500 },
			{ people: 0, wanted: 500 },
		]),
		[30, 70],
	)
	assert.deepEqual(
		sharesOf(100, [
			{ people: 0, wanted: 500 },
			{ people: 0, wanted: 10 },
		]),
		[90, 10],
	)
	assert.deepEqual(
		sharesOf(1, [
			{ people: 5, wanted: 9 },
			{ people: 5, wanted: 9 },
			{ people: 6, wanted: 9 },
		]),
		[1, 0, 0],
	)
	assert.deepEqual(
		sharesOf(0, [
			{ people: 0, wanted: 9 },
			{ people: 0, wanted: 9 },
		]),
		[0, 0],
	)
})

test('the shares of random accounts never exceed the free places, and use all of them while an account wants one', () => {
	const random = new Random('7').next
	const upTo = (most: number) => Math.floor(random() * (most + 1))
	for (let round = 0; round < 500; round++) {
		const free = upTo(50)
		const accounts = Array.from({ length: 2 + upTo(3) }, () => ({ people: upTo(40), wanted: upTo(30) }))
		const given = sharesOf(free, accounts).reduce((sum, share) => sum + share, 0)
		const wanted = accounts.reduce((sum, one) => sum + one.wanted, 0)
		assert.equal(given, Math.min(free, wanted), JSON.stringify({ free, accounts }))
	}
})
