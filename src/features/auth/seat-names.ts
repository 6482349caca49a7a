import type { ColleagueSeat } from './contract.ts'

/** Names of the seats on screens, which say "role". */
export const SEAT_NAMES: Record<ColleagueSeat, string> = {
	agent: 'Agent',
	'template-agent': 'Agent with templates',
	manager: 'Manager',
}

/** Rights of each seat, for the forms that choose one. */
export const SEAT_HINTS: Record<ColleagueSeat, string> = {
	agent: 'Answers customers in Live Chats, and sees no campaigns, contact lists or money.',
	'template-agent': 'Answers customers, and sends approved templates in chats, which are charged to your wallet.',
	manager: 'Works with contacts, templates, campaigns, chats and statements, and spends your balance.',
}
