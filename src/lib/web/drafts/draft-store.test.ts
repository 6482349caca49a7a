import assert from 'node:assert/strict'
import { afterEach, beforeEach, mock, suite, test } from 'node:test'
import { DAY_MS } from '#lib/durations.ts'
import { draftStore, likeForm, ontoSaved, sweepDrafts } from './draft-store.ts'

const BLANK = { name: '', email: '', isActive: true, password: '' }

function memory() {
	const texts = new Map<string, string>()
	return {
		texts,
		getItem: (key: string) => texts.get(key) ?? null,
		setItem: (key: string, text: string) => void texts.set(key, text),
		removeItem: (key: string) => void texts.delete(key),
		key: (index: number) => [...texts.keys()][index] ?? null,
		get length() {
			return texts.size
		},
	}
}

const at = (texts: ReturnType<typeof memory>, userId = '7', name = 'create-user') => draftStore(texts, { userId, name })

suite('draftStore', () => {
	beforeEach(() => mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-11-21T10:00:00Z') }))
	afterEach(() => mock.timers.reset())

	test('read returns what was written for the same user and form, and for no other', () => {
		const texts = memory()
		at(texts).write({ ...BLANK, name: 'Asha' }, BLANK)
		assert.deepEqual(at(texts).read(), { name: 'Asha', email: '', isActive: true })
		assert.equal(at(texts, '8').read(), null)
		assert.equal(at(texts, '7', 'user:3').read(), null)
	})

	test('write stores no password, token or secret, and nothing when only those were typed', () => {
		const texts = memory()
		const secrets = { password: 'p4ssw0rd', access_token: 'EAAB', app_secret: 'hush', currentPassword: 'old' }
		at(texts).write({ ...BLANK, ...secrets, name: 'Asha' }, BLANK)
		assert.doesNotMatch([...texts.texts.values()].join(''), /p4ssw0rd|EAAB|hush|old/)
		at(texts).write({ ...BLANK, password: 'p4ssw0rd' }, BLANK)
		assert.equal(texts.length, 0)
	})

	test('write removes the draft of an unchanged form, and clear removes any', () => {
		const texts = memory()
		at(texts).write({ ...BLANK, name: 'Asha' }, BLANK)
		at(texts).write({ ...BLANK }, BLANK)
		assert.equal(texts.length, 0)
		at(texts).write({ ...BLANK, name: 'Asha' }, BLANK)
		at(texts).clear()
		assert.equal(at(texts).read(), null)
	})

	test('read returns null after seven days, and sweepDrafts removes such drafts and no other key', () => {
		const texts = memory()
		texts.setItem('token', 'abc')
		at(texts).write({ ...BLANK, name: 'Asha' }, BLANK)
		mock.timers.setTime(Date.now() + 7 * DAY_MS + 1)
		assert.equal(at(texts).read(), null)
		at(texts, '8').write({ ...BLANK, name: 'Ravi' }, BLANK)
		sweepDrafts(texts)
		assert.deepEqual([...texts.texts.keys()], ['token', 'draft:8:create-user'])
	})

	test('draftStore does not throw when the storage is full or has invalid content', () => {
		const texts = memory()
		const full = {
			...texts,
			setItem: () => {
				throw new DOMException('no room', 'QuotaExceededError')
			},
		}
		at(full).write({ ...BLANK, name: 'Asha' }, BLANK)
		for (const text of ['', '{', '1', '{"at":"x"}']) {
			texts.setItem('draft:7:create-user', text)
			assert.equal(at(texts).read(), null)
		}
	})
})

suite('ontoSaved', () => {
	const opened = { name: 'Asha', email: 'asha@example.test', marketing: 0.9, utility: 0.3 }

	test('ontoSaved returns the typed fields, and the saved values in all others', () => {
		const texts = memory()
		at(texts).write({ ...opened, utility: 0.4 }, opened)
		const saved = { ...opened, marketing: 1.1 }
		assert.deepEqual(ontoSaved(at(texts).read(), saved, at(texts).readBase()), { ...saved, utility: 0.4 })
	})

	test('ontoSaved returns the saved value of a field that changed on the server since', () => {
		const typed = { ...opened, name: 'Asha Rao', utility: 0.4 }
		const saved = { ...opened, utility: 0.5 }
		assert.deepEqual(ontoSaved(typed, saved, opened), { ...saved, name: 'Asha Rao' })
		assert.equal(ontoSaved({ ...opened, utility: 0.4 }, saved, opened), null)
	})

	test('ontoSaved returns the whole draft when it has no base values', () =>
		assert.deepEqual(ontoSaved({ name: 'Ravi' }, opened, null), { ...opened, name: 'Ravi' }))

	test('ontoSaved leaves a password as it is in the form', () => {
		const texts = memory()
		at(texts).write({ ...BLANK, name: 'Asha', password: 'typed' }, BLANK)
		assert.deepEqual(ontoSaved(at(texts).read(), BLANK, at(texts).readBase()), { ...BLANK, name: 'Asha' })
	})
})

suite('likeForm', () => {
	test('likeForm takes missing fields from the form, and drops unknown ones', () =>
		assert.deepEqual(likeForm({ name: 'Asha', age: 5 }, BLANK), { ...BLANK, name: 'Asha' }))

	for (const kept of [null, 'text', { name: 5 }, { name: ['Asha'] }, { isActive: 'yes' }])
		test(`likeForm returns null for ${JSON.stringify(kept)}`, () => assert.equal(likeForm(kept, BLANK), null))
})
