import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { startScene } from './test-scene.ts'

const NUMBER = '919800000077'
const SHOP = {
	name: 'shop',
	language: 'en_US',
	components: [
		{ type: 'BODY', text: 'Hello {{1}}, our week begins.' },
		{
			type: 'BUTTONS',
			buttons: [
				{ type: 'QUICK_REPLY', text: 'Call me' },
				{ type: 'URL', text: 'Shop now', url: 'https://shop.example/l/{{1}}' },
			],
		},
	],
}

async function startShop(t: TestContext) {
	const scene = await startScene(t)
	await scene.control.addTemplate({ ...SHOP, waba_id: scene.account.waba_id })
	const send = (name: string) =>
		scene.send({
			to: `+${NUMBER}`,
			type: 'template',
			template: {
				name: SHOP.name,
				language: { code: SHOP.language },
				components: [
					{ type: 'body', parameters: [{ type: 'text', text: name }] },
					{ type: 'button', sub_type: 'url', index: '1', parameters: [{ type: 'text', text: 'to"ken' }] },
				],
			},
		})
	const look = async (query = '') => (await fetch(`${scene.url}/_simulator/phone${query}`)).text()
	return { send, look }
}

test('the phone page shows a received template with its variables filled in and its link button as a link', async (t) => {
	const { send, look } = await startShop(t)
	await send('Asha')
	const page = await look(`?number=%2B${NUMBER}`)
	assert.match(page, /<p>Hello Asha, our week begins\.<\/p>/)
	assert.match(page, /<a [^>]*href="https:\/\/shop\.example\/l\/to&quot;ken">Shop now<\/a>/)
	assert.match(page, /<p class="button">Call me<\/p>/)
})

test('the phone page escapes the text of a message', async (t) => {
	const { send, look } = await startShop(t)
	await send('<script>alert(1)</script>')
	const page = await look(`?number=${NUMBER}`)
	assert.ok(!page.includes('<script'))
	assert.match(page, /Hello &lt;script&gt;alert\(1\)&lt;\/script&gt;/)
})

test('the list of phones links to each recipient of a message, and shows a hint when there are none', async (t) => {
	const { send, look } = await startShop(t)
	assert.match(await look(), /Nobody has got a message/)
	await send('Asha')
	assert.match(await look(), new RegExp(`<a href="/_simulator/phone\\?number=${NUMBER}">`))
})
