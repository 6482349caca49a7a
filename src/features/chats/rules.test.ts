import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lineOf, NUMBER_INVALID, NUMBER_REQUIRED, optOutIntent, readNewNumber } from './rules.ts'

test('optOutIntent returns stop for the usual forms of STOP in English, Hinglish and Hindi', () => {
	const forms = [
		'STOP',
		'stop',
		' Stop. ',
		'STOP!!!',
		'Stop please',
		'UNSUBSCRIBE',
		'Opt out',
		'opt-out',
		'OPTOUT',
		'Cancel',
		'Unsubscribe from Promos',
		'Unsubscribe from All',
		'Stop promotions',
		'Band karo',
		'message mat bhejo 🙏',
		'mat bhejo',
		'बंद करो',
		'बंद करो।',
		'मत भेजो',
		'ｓｔｏｐ',
		'Don’t message me',
		'Please stop sending me messages',
		'kindly unsubscribe',
		'band karo please 🙏',
		'कृपया बंद करें',
		'Stop now, please.',
	]
	for (const form of forms) assert.equal(optOutIntent(form), 'stop', form)
})

test('optOutIntent returns null for a message that only contains such a word', () => {
	const others = [
		"don't stop",
		'do not stop',
		'Where is the bus stop?',
		'stop by at 5',
		'nonstop',
		'I want to cancel my order',
		'Can I unsubscribe later?',
		'please do not cancel',
		'band karo mat',
		'दुकान बंद करो कब',
		'ruko',
		'',
		'🙏',
		'the end',
		'Start',
		'bandh',
		'one-stop shop',
		'stop'.repeat(50),
	]
	for (const other of others) assert.notEqual(optOutIntent(other), 'stop', other)
})

test('optOutIntent returns start for START and its forms, and reads the payload of a button', () => {
	for (const form of ['START', 'start', 'Resume', 'शुरू करो', 'chalu karo'])
		assert.equal(optOutIntent(form), 'start', form)
	assert.equal(optOutIntent('Not now', 'STOP'), 'stop')
	assert.equal(optOutIntent('Not now', 'later'), null)
})

test('readNewNumber keeps the digits of a number with or without country code, and prefixes ten digits with 91', () => {
	assert.deepEqual(readNewNumber('9876543210'), { number: '919876543210' })
	assert.deepEqual(readNewNumber('+91 98765-43210'), { number: '919876543210' })
	assert.deepEqual(readNewNumber('\u202a+91 98765\u201343210\u202c'), { number: '919876543210' })
	assert.deepEqual(readNewNumber('919876543210'), { number: '919876543210' })
	assert.deepEqual(readNewNumber('1-2025550123'), { number: '12025550123' })
	assert.deepEqual(readNewNumber('2025550123'), { number: '912025550123' })
	assert.deepEqual(readNewNumber('  '), { error: NUMBER_REQUIRED })
	for (const wrong of ['12345', 'abc', '98765432101234567', '98765x43210'])
		assert.deepEqual(readNewNumber(wrong), { error: NUMBER_INVALID })
})

test('lineOf returns the kind of a message without text, and a text in one line', () => {
	assert.equal(lineOf({ kind: 'text', text: 'Hello\n\nthere ' }), 'Hello there')
	assert.equal(lineOf({ kind: 'image', text: '' }), 'Photo')
	assert.equal(lineOf({ kind: 'document', text: '', mediaName: 'bill.pdf' }), 'bill.pdf')
	assert.equal(lineOf({ kind: 'text', text: 'x', isRevoked: true }), 'This message was deleted')
})
