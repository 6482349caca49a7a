import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TrimmedText } from '#lib/fields.ts'
import { lengthError, limited } from './limited.ts'

const EMOJI = '🙏'

test('limited takes as many emoji as the schema, and names the limit at the next one', () => {
	for (const max of [1, 20, 1024]) {
		for (const [text, fits] of [
			[EMOJI.repeat(max), true],
			[`  ${EMOJI.repeat(max)}  `, true],
			['न'.repeat(max), true],
			[EMOJI.repeat(max + 1), false],
			['न'.repeat(max + 1), false],
		] as const) {
			assert.equal(TrimmedText(max).safeParse(text).success, fits)
			const { error } = limited(max, { value: text, error: null })
			assert.equal(error, fits ? null : `At most ${max} characters are allowed, this text has ${max + 1}`)
		}
	}
})

test('limited names the entry of a list that is too long, and keeps the error of a list that fits', () => {
	assert.equal(
		lengthError(50, ['VIP', `Wholesale of Pune and Nashik ${EMOJI.repeat(50)}`]),
		'At most 50 characters are allowed: Wholesale of Pune an...',
	)
	assert.deepEqual(limited(50, { value: ['VIP', EMOJI.repeat(50)], error: 'At most 50 tags' }), {
		value: ['VIP', EMOJI.repeat(50)],
		error: 'At most 50 tags',
	})
	assert.equal(lengthError(50, undefined), null)
})
