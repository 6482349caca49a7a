import type { PlantedFault } from './fault.ts'

const delivery = 'src/features/delivery/server'
const chats = 'src/features/chats/server'
const singleMessagesTest = `${delivery}/sending/single-messages.test.ts`
const templateStatusUpdatesTest = `${chats}/template-status-updates.test.ts`
const templatesTest = `${chats}/templates.test.ts`

/** Faults of campaigns of one message: tests, and templates of chats. */
export const SINGLE_MESSAGE_FAULTS: readonly PlantedFault[] = [
	{
		name: 'a single message waits for its turn behind campaigns',
		file: `${delivery}/sending/send-loop.ts`,
		text: 'due.find(({ isSingle }) => isSingle !== isProbe) ?? due[0]',
		replacement: 'due[0]',
		tests: [singleMessagesTest],
	},
	{
		name: 'a single message is sent again after a fault that pauses campaigns',
		file: `${delivery}/sending/recorder.ts`,
		text: 'if (message.isSingle)',
		replacement: 'if (message.isSingle && message.attempts > 3)',
		tests: [singleMessagesTest],
	},
	{
		name: 'a single message is paused, and nothing resumes it',
		file: `${delivery}/lifecycle/transition-queries.ts`,
		text: "case when kind = 'campaign' then",
		replacement: "case when kind <> 'chat' then",
		tests: [singleMessagesTest],
	},
	{
		name: 'dashboards count templates of chats',
		file: `${delivery}/settlement/settle.ts`,
		text: '!fromChats.has(one.campaignId)',
		replacement: 'one.campaignId > 0',
		tests: [templatesTest],
	},
	{
		name: 'a message to a user id is sent to it as a number',
		file: 'src/features/delivery/server/message/send.ts',
		text: '...(isUserId(to) ?',
		replacement: '...(isUserId(`+${to}`) ?',
		tests: [templatesTest],
	},
	{
		name: 'a template is ordered although its chat’s message was not written',
		file: `${chats}/sending/send-template.ts`,
		text: 'if (!row) return undefined',
		replacement: 'if (!row) await orderForChat(sql, accountId, order)\n\tif (!row) return undefined',
		tests: [templatesTest],
	},
	{
		name: 'status updates with the id that templates had before are dropped',
		file: `${chats}/settlement/status-updates.ts`,
		text: 'others.push(...(await takeTemplates(sql, accountId, own)))',
		replacement: 'await takeTemplates(sql, accountId, own)',
		tests: [templateStatusUpdatesTest],
	},
	{
		name: 'a decision on refunds of templates counts that was made on an older state',
		file: 'src/features/wallet/server/refund-queries.ts',
		text: 's.taken > 0 and s.all_decisions = ${decisions}',
		replacement: 's.taken > 0',
		tests: [templateStatusUpdatesTest],
	},
]
