import type { NetworkState } from '#simulator/network-state.ts'
import type { Phone } from '#simulator/state/accounts.ts'
import type { AcceptedMessage, Status } from '../message-life.ts'
import { type InboundMessage, receiveFromCustomer } from './inbound.ts'

const TEXTS = [
	'Thanks! 🙏',
	'Please call me tomorrow',
	'What is the price?',
	'Is the blue one still in stock?',
	'नमस्ते, और जानकारी दीजिए',
	'Ok',
	'STOP',
]
const OTHER_KINDS = ['image', 'location', 'audio', 'document', 'sticker', 'contacts', 'video']

/** Makes simulated customers reply to delivered messages of numbers with replies switched on. */
export function replyNowAndThen(state: NetworkState): void {
	state.traffic.onStatus = (status: Status, message: AcceptedMessage, phone: Phone) => {
		const { replies } = phone
		if (status !== 'delivered' || !replies || Math.random() >= replies.rate) return
		const wait = replies.minMs + Math.random() * (replies.maxMs - replies.minMs)
		state.wheel.run(wait, () => void receiveFromCustomer(state, phone, replyTo(message, phone)))
	}
}

function replyTo(message: AcceptedMessage, phone: Phone): InboundMessage {
	const base = { phone_number_id: phone.id, from: message.to }
	const draw = Math.random()
	if (draw < 0.4 && message.quickReplies.length > 0) {
		const text = pick(message.quickReplies)
		return { ...base, type: 'button', content: { payload: text, text }, context_id: message.id }
	}
	if (draw < 0.8) return { ...base, type: 'text', content: { body: pick(TEXTS) } }
	if (draw < 0.9) return { ...base, type: 'reaction', content: { message_id: message.id, emoji: '👍' } }
	return { ...base, type: pick(OTHER_KINDS) }
}

function pick<T>(list: readonly T[]): T {
	const item = list[Math.floor(Math.random() * list.length)]
	if (item === undefined) throw new Error('Nothing to pick from')
	return item
}
