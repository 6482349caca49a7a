import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { readInbound } from './message-reader.ts'

const FROM = '919810000001'

function read(message: object, contact: object = { wa_id: FROM }) {
	const whole = { from: FROM, id: 'wamid.1', timestamp: '1790000000', ...message }
	const value = { contacts: [{ profile: { name: 'Asha' }, ...contact }], messages: [whole] }
	return readInbound([value], new Date('2027-01-01'))
}

const bodyOf = (message: object) => read(message).messages[0]?.body

const form = (nfm_reply: object) => bodyOf({ type: 'interactive', interactive: { type: 'nfm_reply', nfm_reply } })

suite('readInbound', () => {
	test('reads an order as its products with numbers and prices, followed by its text', () => {
		const items = [
			{ product_retailer_id: 'SAREE-1', quantity: 2, item_price: 1999.5, currency: 'INR' },
			{ product_retailer_id: 'KURTA-9', quantity: '1', item_price: '20', currency: 'USD' },
			{ product_retailer_id: 'GIFT', quantity: 1 },
			null,
		]
		const order = { catalog_id: '1', product_items: items, text: 'Pack it well' }
		assert.deepEqual(bodyOf({ type: 'order', order }), {
			text: '2 × SAREE-1, ₹1,999.50 each\n1 × KURTA-9, USD 20 each\n1 × GIFT\nPack it well',
		})
		const long = { product_items: Array.from({ length: 60 }, () => items[2]) }
		assert.match(bodyOf({ type: 'order', order: long })?.text ?? '', /\nand 10 more$/)
		assert.deepEqual(bodyOf({ type: 'order', order: { product_items: 'none' } }), { text: '' })
	})

	test('reads a form as its answers, without its token', () => {
		const answers = {
			flow_token: 'abc',
			screen_0_Full_name_1: 'Asha',
			sizes: ['S', 'M'],
			agreed: true,
			nested: { a: 1 },
		}
		const reply = { name: 'flow', body: 'Sent', response_json: JSON.stringify(answers) }
		assert.equal(form(reply)?.text, 'Sent\nFull name: Asha\nsizes: S, M\nagreed: true')
		for (const response_json of ['{', '[]', 'null', 7]) assert.equal(form({ response_json })?.text, 'Form sent')
	})

	test('keeps the ad or the product that occasioned a message', () => {
		const text = { type: 'text', text: { body: 'Is it available?' } }
		const referral = { source_type: 'ad', headline: 'Diwali sale', body: 'All sarees' }
		assert.equal(bodyOf({ ...text, referral })?.occasion, 'Came from your ad: Diwali sale')
		assert.equal(bodyOf({ ...text, referral: {} })?.occasion, 'Came from your ad')
		const context = { id: 'wamid.0', referred_product: { catalog_id: '1', product_retailer_id: 'SAREE-7' } }
		assert.equal(bodyOf({ ...text, context })?.occasion, 'Asks about your product SAREE-7')
		assert.deepEqual(bodyOf(text), { text: 'Is it available?' })
		const long = { referred_product: { product_retailer_id: `x${'😀'.repeat(200)}` } }
		assert.ok(bodyOf({ ...text, context: long })?.occasion?.isWellFormed(), 'the database takes no half characters')
	})

	test('reads ids that are numbers like ids that are texts', () => {
		const image = { type: 'image', image: { id: 123, mime_type: 'image/jpeg' } }
		const { messages, writers } = read({ from: Number(FROM), ...image }, { wa_id: Number(FROM) })
		assert.deepEqual([messages[0]?.chat, messages[0]?.media?.id], [FROM, '123'])
		assert.equal(writers[0]?.profileName, 'Asha')
	})
})
