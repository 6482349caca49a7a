import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAmount, readDay, readYesNo } from './typed-values.ts'

const DAYS: [string, string | null][] = [
	...[
		'5-Dec-26',
		'05-12-26',
		'5th Dec 2026',
		'5th of December, 2026',
		'2026/12/05',
		'2026-12-5',
		'05/12/2026 18:30',
		'05/12/2026, 6:30 pm',
		'2026-12-05T18:30:00.000Z',
		'2026-12-05 00:00:00+05:30',
		'05.12.2026',
		'5 12 2026',
		'Dec 5, 2026',
		'Sat, 5 Dec 2026',
		'Saturday, 05 December 2026',
		'05-DEC-2026',
		'5 दिसंबर 2026',
		'०५/१२/२०२६',
		' 5 – Dec – 2026 ',
	].map((typed): [string, string] => [typed, '2026-12-05']),
	['1 Sept 85', '1985-09-01'],
	['30/02/2026', null],
	['12/25/2026', null],
	['5 Mayor 2026', null],
	['5 De 2026', null],
	['05/12', null],
	['05/12/1899', null],
	['5/12/026', null],
	['05122026', null],
	['tomorrow', null],
	[`5 Dec 2026${' '.repeat(60)}`, null],
]

const AMOUNTS: [string, string | null][] = [
	['₹1,250/-', '1250'],
	['Rs. 1,25,000.50/- only', '125000.5'],
	['INR 1250', '1250'],
	['1250 Rs.', '1250'],
	['1250 Dr', '1250'],
	['1250.00Dr.', '1250'],
	['(500.00)', '-500'],
	['₹ (500)', '-500'],
	['(₹500)', '-500'],
	['500-', '-500'],
	['−₹500', '-500'],
	['₹ -500', '-500'],
	['+12', '12'],
	['12.5%', '12.5'],
	['12.5 %', '12.5'],
	['१२५०', '1250'],
	['₹१,२५,०००', '125000'],
	['₨ 99', '99'],
	['.5', '0.5'],
	['-0', '0'],
	['12,34,567', '1234567'],
	['1,234,567.25', '1234567.25'],
	['1.250,00', null],
	['1,25', null],
	['1,2,3', null],
	['12 to 15', null],
	['2 Cr', null],
	['--5', null],
	['-(5)', null],
	['9.19E+11', null],
	['₹', null],
	['', null],
	['1'.repeat(61), null],
]

const ANSWERS: [string, 'yes' | 'no' | null][] = [
	...['हां', 'हाँ', 'haan', 'Haan', 'YES', 'y', '1', '१', 'ஆம்', 'होय', 'yes.', '✓'].map((typed): [string, 'yes'] => [
		typed,
		'yes',
	]),
	...['नहीं', 'nahi', 'No', 'FALSE', '0', 'না', 'ਨਹੀਂ'].map((typed): [string, 'no'] => [typed, 'no']),
	['maybe', null],
	['', null],
]

for (const [name, read, cases] of [
	['readDay', readDay, DAYS],
	['readAmount', readAmount, AMOUNTS],
	['readYesNo', readYesNo, ANSWERS],
] as const)
	for (const [typed, value] of cases)
		test(`${name} returns ${String(value)} for "${typed.slice(0, 40)}"`, () => assert.equal(read(typed), value))
