import * as z from 'zod/mini'
import { Component } from '#features/templates/contract.ts'
import { INDIAN_TIME_ZONE } from '#lib/dates.ts'
import { endpoint } from '#lib/endpoint.ts'
import { Id, JsonText, Limit, Message, OptionalId, OptionalText, Page, Required, Search, Time } from '#lib/fields.ts'
import { RequestId } from '#lib/request-id.ts'

export const CampaignStatus = z.enum(['pending', 'processing', 'paused', 'completed', 'cancelled', 'failed'])
export type CampaignStatus = z.output<typeof CampaignStatus>
export const MessageStatus = z.enum(['pending', 'sent', 'delivered', 'read', 'failed'])
export type MessageStatus = z.output<typeof MessageStatus>

const AudienceType = z.enum(['all', 'group', 'file'])

/** Amounts in rupees. `sentCount` is what the network accepted: sent, delivered and read together. */
export const CampaignRow = z.object({
	_id: z.string(),
	name: z.string(),
	status: CampaignStatus,
	statusReason: z.nullable(z.string()),
	totalCount: z.int(),
	sentCount: z.int(),
	failedCount: z.int(),
	cost: z.number(),
	createdAt: Time,
	opensAt: Time,
	template: z.object({ name: z.string(), category: z.string(), body: z.string() }),
})
export type CampaignRow = z.output<typeof CampaignRow>

export const CampaignDetail = z.extend(CampaignRow, {
	description: z.nullable(z.string()),
	language: z.string(),
	components: z.array(Component),
	variables: z.record(z.string(), z.string()),
	audience: z.string(),
	price: z.number(),
	/** Still set aside for messages not yet settled. */
	onHold: z.number(),
	startedAt: z.nullable(Time),
	finishedAt: z.nullable(Time),
})
export type CampaignDetail = z.output<typeof CampaignDetail>

/** How many messages stand in each status now; they add up to `totalCount`. */
export const StatusCounts = z.object({
	sent: z.int(),
	delivered: z.int(),
	read: z.int(),
	failed: z.int(),
	pending: z.int(),
})
export type StatusCounts = z.output<typeof StatusCounts>

export const SentMessage = z.object({
	_id: z.string(),
	number: z.string(),
	status: MessageStatus,
	held: z.boolean(),
	error: z.nullable(z.string()),
	createdAt: z.nullable(Time),
})
export type SentMessage = z.output<typeof SentMessage>

const FILE_MAX_BYTES = 50 * 1024 * 1024

export const CreateCampaignBody = z.object({
	name: Required('Campaign name is required'),
	description: OptionalText(1000),
	templateId: Required('Please select a template'),
	/** JSON: { var1: "…", var2: "…" }; `header1` fills a variable of the header, `url1` that of a link button,
	 * `code1` the code of a copy button; named variables go by their name. */
	variables: JsonText(z.record(z.string().check(z.maxLength(50)), z.string().check(z.maxLength(1024))), {
		message: 'Variables must be JSON',
		standard: {},
	}),
	audienceType: z._default(AudienceType, 'all'),
	selectedGroup: OptionalId,
	schedule: z._default(z.enum(['now', 'later']), 'now'),
	/** 2026-11-21T18:30:00, in `timezone`. */
	scheduleDatetime: z.optional(z.string()),
	timezone: z._default(z.string(), INDIAN_TIME_ZONE),
	requestId: z.optional(RequestId),
})

const oneCampaign = { access: 'user', params: z.object({ id: Id }) } as const

export const campaigns = {
	list: endpoint({
		method: 'GET',
		path: '/api/campaigns',
		access: 'user',
		/** `search` finds names. */
		query: z.object({ page: Page, limit: Limit(10), search: Search }),
		response: z.object({ campaigns: z.array(CampaignRow), totalPages: z.int() }),
	}),
	create: endpoint({
		method: 'POST',
		path: '/api/campaigns',
		access: 'user',
		body: CreateCampaignBody,
		files: { file: { maxBytes: FILE_MAX_BYTES, types: ['text/csv'] } },
		response: z.object({ message: z.string(), campaign: CampaignRow }),
	}),
	/** What a campaign would reach and cost, before it is created. Amounts in rupees. */
	audience: endpoint({
		method: 'GET',
		path: '/api/campaigns/audience',
		access: 'user',
		query: z.object({ audienceType: AudienceType, selectedGroup: OptionalId, templateId: OptionalId }),
		response: z.object({
			contacts: z.int(),
			optedOut: z.int(),
			recipients: z.int(),
			price: z.number(),
			cost: z.number(),
			walletBalance: z.number(),
		}),
	}),
	/** The user dashboard's stats: days are the last seven in Indian time, oldest first. */
	dashboard: endpoint({
		method: 'GET',
		path: '/api/campaigns/dashboard',
		access: 'user',
		response: z.object({
			today: StatusCounts,
			month: z.object({
				messages: z.int(),
				spent: z.number(),
				deliveryRate: z.nullable(z.number()),
				readRate: z.nullable(z.number()),
			}),
			days: z.array(z.object({ day: z.string(), sent: z.int(), delivered: z.int(), read: z.int(), failed: z.int() })),
			upcoming: z.array(CampaignRow),
			running: z.array(CampaignRow),
			steps: z.object({
				credentials: z.boolean(),
				template: z.boolean(),
				contacts: z.boolean(),
				recharge: z.boolean(),
			}),
		}),
	}),
	get: endpoint({
		...oneCampaign,
		method: 'GET',
		path: '/api/campaigns/{id}',
		query: z.object({ page: Page, limit: Limit(10) }),
		response: z.object({ campaign: CampaignDetail }),
	}),
	refresh: endpoint({
		...oneCampaign,
		method: 'GET',
		path: '/api/campaigns/{id}/refresh',
		query: z.object({ page: Page, limit: Limit(10), status: z.optional(MessageStatus) }),
		response: z.object({
			campaign: CampaignDetail,
			sentMessages: z.array(SentMessage),
			statusCounts: StatusCounts,
			failures: z.array(z.object({ error: z.string(), count: z.int() })),
			totalPages: z.int(),
			lastRefreshed: Time,
		}),
	}),
	pause: endpoint({ ...oneCampaign, method: 'POST', path: '/api/campaigns/{id}/pause', response: Message }),
	resume: endpoint({ ...oneCampaign, method: 'POST', path: '/api/campaigns/{id}/resume', response: Message }),
	cancel: endpoint({ ...oneCampaign, method: 'POST', path: '/api/campaigns/{id}/cancel', response: Message }),
}
