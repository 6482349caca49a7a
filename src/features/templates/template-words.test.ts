import assert from 'node:assert/strict'
import { test } from 'node:test'
import { templateTitle } from './template-words.ts'

const TITLES = { diwali_offer_2026: 'Diwali offer 2026', _sale__50_: 'Sale 50', '2026': '2026', ___: '___' }

for (const [name, title] of Object.entries(TITLES))
	test(`templateTitle turns ${name} into “${title}”`, () => assert.equal(templateTitle(name), title))
