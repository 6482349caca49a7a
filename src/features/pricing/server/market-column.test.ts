import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '#test/database.ts'
import { MARKET_BY_PREFIX, marketOf } from '../markets.ts'
import { marketColumn } from './market-column.ts'

test('marketColumn finds the market of marketOf for every prefix, and for keys shorter or longer than it', async () => {
	const database = await createTestDatabase()
	const keys = Array.from(MARKET_BY_PREFIX.keys(), (prefix) => [
		prefix,
		prefix.slice(0, -1),
		`${prefix}0`,
		`${prefix}99`,
	])
		.flat()
		.concat('', '0', 'ZZ.1')
	const { sql } = database
	const rows = await sql<{ key: string; market: string }[]>`
		select key, ${marketColumn(sql, sql`key`)} as market from unnest(${keys}::text[]) key
	`
	for (const { key, market } of rows) assert.equal(market, marketOf(key), key)
	assert.equal(rows.length, keys.length)
	await database.drop()
})
