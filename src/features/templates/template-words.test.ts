import assert from 'node:assert/strict'
import { test } from 'node:test'
<<<<<<<< HEAD:src/features/templates/template-words.test.ts
import { templateTitle } from './template-words.ts'
========
import { templateTitle } from './template-words.ts'
>>>>>>>> 26b82135 (templates: show the title of a template everywhere):src/features/templates/names.test.ts

const TITLES = { diwali_offer_2026: 'Diwali offer 2026', _sale__50_: 'Sale 50', '2026': '2026', ___: '___' }

for (const [name, title] of Object.entries(TITLES))
	test(`templateTitle turns ${name} into “${title}”`, () => assert.equal(templateTitle(name), title))
