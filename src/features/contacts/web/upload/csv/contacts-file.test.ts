import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openCsv } from '#lib/files/csv-table.ts'
import { markKnown, readContacts, sendableOf, unaskedNumbers } from './contacts-file.ts'
import { errorReport } from './csv-report.ts'
import { leftOutOf, leftWords, MAX_SHOWN, rowsOf, secondNumbersOf, tilesOf } from './file-summary.ts'

const tableOf = (text: string) =>
	openCsv(async function* () {
		yield new TextEncoder().encode(text)
	})
const open = async (text: string) => readContacts(await tableOf(text))

const H = 'firstName,lastName,number\n'
const A = 'Asha,Rao,9876543210'
const B = 'Ravi,,9812345678'

test('readContacts uses a corrected row instead of its cells, which can free the number of a later row', async () => {
	const table = await tableOf(`${H}${A}\nTwin,,9876543210\nRavi,,98123,45678\n`)
	const states = async (corrected: [number, string, string][]) => {
		const typed = corrected.map(([row, firstName, number]) => [row, { firstName, lastName: '', number }] as const)
		return (await readContacts(table, { corrected: new Map(typed) })).rows.map(({ state }) => state)
	}
	assert.deepEqual(await states([]), ['new', 'duplicate', 'dropped'])
	assert.deepEqual(await states([[4, 'Ravi', '9812345678']]), ['new', 'duplicate', 'new'])
	assert.deepEqual(
		await states([
			[2, 'Asha', '98'],
			[4, '', '9812345678'],
		]),
		['refused', 'new', 'dropped'],
	)
})

test('readContacts reads spreadsheet errors and words such as NULL as empty cells, but keeps a person called Nan', async () => {
	const { rows } = await open(`${H}#N/A,Rao,9876543210\nRavi,NULL,9812345678\nMeena,#REF!,nan\nNan,n/a,9812345679\n`)
	assert.deepEqual(
		rows.map(({ firstName, lastName, state }) => [firstName, lastName, state]),
		[
			['', 'Rao', 'dropped'],
			['Ravi', '', 'new'],
			['Meena', '', 'dropped'],
			['Nan', '', 'new'],
		],
	)
})

test('readContacts uses the number as the name of unnamed rows with namesByNumber, and leftOutOf counts the kinds of the rest', async () => {
	const table = await tableOf(`${H},Rao,+91 98765-43210\n,,12\nRavi,,\n${B}\n,,09812345678\n`)
	const dropped = await readContacts(table)
	assert.deepEqual(leftOutOf(dropped), {
		left: [
			{ kind: 'numberless', count: 1, isSent: false },
			{ kind: 'nameless', count: 3, isSent: false },
		],
		unnamedCount: 3,
	})
	const named = await readContacts(table, { namesByNumber: true })
	assert.deepEqual(
		named.rows.map(({ firstName, lastName, state }) => [firstName, lastName, state]),
		[
			['+919876543210', 'Rao', 'new'],
			['', '', 'refused'],
			['Ravi', '', 'dropped'],
			['Ravi', '', 'new'],
			['', '', 'duplicate'],
		],
	)
	assert.equal(leftOutOf(named).unnamedCount, 1)
	assert.deepEqual(leftOutOf(named).left, [
		{ kind: 'wrong', count: 1, isSent: true },
		{ kind: 'numberless', count: 1, isSent: false },
		{ kind: 'duplicate', count: 1, isSent: false },
	])
	assert.deepEqual(leftOutOf(named).left.map(leftWords), ['1 wrong number', '1 without a number', '1 duplicate'])
})

test('unaskedNumbers returns unlikely numbers first, and of more than 50,000 rows only these', async () => {
	const file = await open(`${H}${A}\n${B}\nLand,,+91 22 2654 1000\n`)
	const known = new Map<string, boolean>()
	assert.deepEqual(unaskedNumbers(file, known, 2), ['912226541000', '919876543210'])
	known.set('912226541000', false).set('919876543210', true)
	assert.deepEqual(unaskedNumbers(file, known, 9), ['919812345678'])
	known.set('919812345678', false)
	markKnown(file, known)
	assert.deepEqual(unaskedNumbers(file, known, 9), [])
	assert.deepEqual(tilesOf(file).counts, { new: 1, update: 1, unlikely: 1, refused: 0 })
	const many = Array.from({ length: 50_001 }, (_, index) => `N${index},,9${String(index).padStart(9, '0')}`)
	const long = await open(`${H}Old,,+91 22 2654 1001\n${many.join('\n')}`)
	assert.deepEqual(unaskedNumbers(long, known, 9), ['912226541001'])
	known.set('912226541001', true)
	markKnown(long, known)
	assert.deepEqual([unaskedNumbers(long, known, 9), long.rows[0]?.state], [null, 'update'])
})

test('rowsOf lists unlikely numbers first, then wrong, incomplete and duplicate rows, then the others, 200 rows at most', async () => {
	const file = await open(`${H}${A}\n,,1\n${B}\nLand,,+91 22 2654 1000\nTwin,,9876543210\n`)
	const rows = (tile: Parameters<typeof rowsOf>[1]) => rowsOf(tilesOf(file), tile).map(({ row }) => row)
	assert.deepEqual([rows(null), rows('refused'), rows('unlikely'), rows('new')], [[5, 3, 6, 2, 4], [3, 6], [5], [2, 4]])
	const many = tilesOf(await open(`${H}${',,1\n'.repeat(300)}${A}`))
	assert.equal(many.counts.refused, 300)
	assert.equal(rowsOf(many, null).length, MAX_SHOWN)
	const twins = tilesOf(await open(`${H}${A}\n${'Twin,,9876543210\n'.repeat(300)}Bad,,12\n`))
	assert.deepEqual(rowsOf(twins, 'refused')[0]?.row, 303)
})

test('sendableOf leaves out unlikely numbers without withUnlikely, and errorReport lists them and second numbers', async () => {
	const file = await open(`${H}${A}\nShort,,98123456\nFree,,1800 123 4567\nTwo,,98123 45678 / 98123 45679\n`)
	assert.deepEqual(
		file.rows.map(({ state, reason }) => [state, reason]),
		[
			['new', null],
			['unlikely', 'Too short for a mobile number (Iran)'],
			['unlikely', 'A toll-free number (India)'],
			['new', 'Left out: the second number +91 98123 45679'],
		],
	)
	assert.deepEqual(
		[sendableOf(file, false), sendableOf(file)].map((rows) => rows.length),
		[2, 4],
	)
	assert.deepEqual(secondNumbersOf(file), {
		secondCount: 1,
		secondNumbers: ['Row 5: the second number +91 98123 45679'],
	})
	assert.deepEqual(errorReport(file, [], false).match(/,[345],.*/g), [
		',3,Too short for a mobile number (Iran)',
		',4,A toll-free number (India)',
		',5,Left out: the second number +91 98123 45679',
	])
})

test('a contact’s number is never unlikely: its row is an update that is sent, before and after it is read again', async () => {
	const text = `${H}Demo,,+91 55512 30001\nLand,,+91 22 2654 1000 / 98123 45679\nShort,,98123456\n`
	const file = await open(text)
	assert.deepEqual(sendableOf(file, false), [])
	const known = new Map([
		['915551230001', true],
		['912226541000', true],
		['9898123456', false],
	])
	markKnown(file, known)
	const again = await readContacts(await tableOf(text), { known })
	for (const { rows } of [file, again])
		assert.deepEqual(
			rows.map(({ state, reason }) => [state, reason]),
			[
				['update', null],
				['update', 'Left out: the second number +91 98123 45679'],
				['unlikely', 'Too short for a mobile number (Iran)'],
			],
		)
	assert.deepEqual(
		sendableOf(file, false).map(({ row }) => row),
		[2, 3],
	)
})
