import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readDay, readTime, spellDay, writeDay, writeTime } from './typed-dates.ts'

test('readDay understands how Indians write a date, with the day before the month', () => {
	for (const text of [
		'21/11/2026',
		' 21-11-26 ',
		'21.11.2026',
		'21 11 2026',
		'21 / 11 / 26',
		'21112026',
		'21 Nov 2026',
		'21 november, 26',
		'21-Nov-2026',
		'21 NOVEM 2026',
		'2026-11-21',
	])
		assert.equal(readDay(text), '2026-11-21', text)
	assert.equal(readDay('5/6/2027'), '2027-06-05')
	assert.equal(readDay('29/2/2028'), '2028-02-29')
})

test('readDay returns null for a day that does not exist, and for what is not finished', () => {
	for (const text of [
		'',
		'21',
		'21/11',
		'21/13/2026',
		'31/11/2026',
		'29/2/2027',
		'0/1/2026',
		'21 foo 2026',
		'21/11/202',
		'1/1/0000',
		'21/11/0026',
		'21 junk 2026',
		'21 marble 2026',
	])
		assert.equal(readDay(text), null, text)
})

test('readTime understands the clock of 12 and of 24 hours', () => {
	for (const [text, time] of [
		['10:30', '10:30'],
		['10.30 pm', '22:30'],
		['10:30 p.m.', '22:30'],
		['22:30', '22:30'],
		['9:05 AM', '09:05'],
		['930pm', '21:30'],
		['1030', '10:30'],
		['10 pm', '22:00'],
		['12 am', '00:00'],
		['12:15 pm', '12:15'],
		['0:00', '00:00'],
	] as const)
		assert.equal(readTime(text), time, text)
})

test('readTime returns null for an hour without its half of the day, and for what no clock shows', () => {
	for (const text of ['', '10', '24:00', '10:60', '13 pm', '0:30 am', '10:3', 'noon', '10:30 xm'])
		assert.equal(readTime(text), null, text)
})

test('writeDay and writeTime write what readDay and readTime read back', () => {
	assert.equal(writeDay('2026-11-21'), '21/11/2026')
	assert.equal(writeTime('22:30'), '10:30 pm')
	assert.equal(readDay(writeDay('2026-01-05')), '2026-01-05')
	assert.equal(readTime(writeTime('00:05')), '00:05')
})

test('spellDay names the day of the week and the month', () => {
	assert.equal(spellDay('2026-11-21'), 'Saturday, 21 November 2026')
})
