import assert from 'node:assert/strict'
import { test } from 'node:test'
import { strengthOf } from './guessable.ts'

const COMMON = new Set(['123456', 'sunshine', 'password'])
const asha = { name: 'Asha Rao', email: 'shop@rao-textiles.in' }
const unknown = { name: '', email: '' }

test('strengthOf returns common or decorated for a common password, in any letter case and with few characters added', () => {
	assert.equal(strengthOf('123456', asha, COMMON), 'common')
	assert.equal(strengthOf('PassWord', asha, COMMON), 'common')
	for (const password of ['Sunshine2024', '1sunshine!', 'password#12'])
		assert.equal(strengthOf(password, asha, COMMON), 'decorated')
	assert.equal(strengthOf('sunshine on a kettle', asha, COMMON), 'good')
})

test('strengthOf returns named for a password with a part of the name, the email or the product’s name', () => {
	for (const password of ['xy-ASHA-9912', 'kurta textiles', 'MyWhatsApp77']) {
		assert.equal(strengthOf(password, asha, COMMON), 'named')
	}
	assert.equal(strengthOf('xy-ASHA-9912', unknown, COMMON), 'good')
	// A part of three letters does not count, since many words contain it by chance.
	assert.equal(strengthOf('kettle draon 41', asha, COMMON), 'good')
	assert.equal(strengthOf('आशा की दुकान 7', { name: 'आशा राव', email: '' }, COMMON), 'good')
	assert.equal(strengthOf('मेरी सुनीता 71', { name: 'सुनीता', email: '' }, COMMON), 'named')
})

test('strengthOf returns monotonous for few different characters, and short for few characters', () => {
	assert.equal(strengthOf('aaaaaaaaaaaa', asha, COMMON), 'monotonous')
	assert.equal(strengthOf('kettle41x', asha, COMMON), 'short')
	assert.equal(strengthOf('kettle41xy', asha, COMMON), 'good')
})
