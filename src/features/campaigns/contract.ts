import * as z from 'zod/mini'
import {
	AUDIENCE_FILE,
	AudienceType,
	FileColumnsText,
	FormatsText,
	Variables,
	VariablesText,
} from '#features/audiences/contract.ts'
import { HeldOut, HoldOutPercent } from '#features/audiences/control-group.ts'
import { CampaignStatus } from '#features/delivery/campaign-status.ts'
import { MessageStatus } from '#features/delivery/rules.ts'
import { Component } from '#features/templates/contract.ts'
import { endpoint } from '#lib/endpoint.ts'
import {
	Id,
	Limit,
	ListQuery,
	Message,
	OptionalId,
	OptionalText,
	Page,
	Required,
	RowId,
	SortedBy,
	Text,
	Time,
} from '#lib/fields.ts'
import { RequestId } from '#lib/request-id.ts'
import { Schedule, Timing } from './form-fields.ts'

/** Amounts in rupees. `sentCount` is what the network accepted: sent, delivered and read together. */
export const CampaignRow = z.object({
	_id: RowId,
	name: z.string(),
	status: CampaignStatus,
	statusReason: z.nullable(z.string()),
	totalCount: z.int(),
	sentCount: z.int(),
	failedCount: z.int(),
	/** Not sent yet: with `totalCount`, how far it has come. */
	pendingCount: z.int(),
	cost: z.number(),
	/** Those that were read were delivered as well. */
	deliveredCount: z.int(),
	readCount: z.int(),
	/** Still arriving: without a report of delivery, of a campaign of the last 24 hours. */
	arrivingCount: z.int(),
	/** Recipients who replied, as `REPLIED_MEANS` says. */
	repliedCount: z.int(),
	/** Recipients who quoted the message or pressed a button, as `QUOTED_MEANS` says. */
	quotedCount: z.int(),
	/** The template has a link whose clicks are counted. */
	countsClicks: z.boolean(),
	/** Recipients who followed it. */
	clickedCount: z.int(),
	/** Who was kept out, to compare; null where nobody was. */
	heldOut: z.nullable(HeldOut),
	createdAt: Time,
	/** When it starts or started. */
	opensAt: Time,
	/** A single message to a number of one's own. */
	isTest: z.boolean(),
	/** What programs have sent on a day with one template. */
	isApi: z.boolean(),
	template: z.object({ name: z.string(), category: z.string(), body: z.string() }),
})
export type CampaignRow = z.output<typeof CampaignRow>

export const CampaignDetail = z.extend(CampaignRow, {
	description: z.nullable(z.string()),
	language: z.string(),
	components: z.array(Component),
	variables: z.record(z.string(), z.string()),
	/** The audience in words. */
	audience: z.string(),
	audienceType: AudienceType,
	/** The group that was chosen, while it exists. */
	selectedGroup: z.nullable(z.string()),
	/** The segment that was chosen; it may be gone. */
	segmentId: z.nullable(RowId),
	/** As the form takes it; null where the account has no such template any more. */
	templateId: z.nullable(z.string()),
	schedule: Schedule,
	price: z.number(),
	/** The recipients whom WhatsApp holds back are sent to again, each time by a campaign of its own: after 1 day, 2 and 4 days. */
	retryHeldBack: z.boolean(),
	/** When the next of those campaigns is made, once this one is completed; null while none is due. */
	followUp: z.nullable(z.object({ at: Time, heldBackCount: z.int() })),
	/** For failed messages; an admin looks at it before it is given back. Until then it is a part of the cost. */
	refundWaiting: z.number(),
	/** How often those who followed the counted link did, all together. */
	clickCount: z.int(),
	/** Left out when it was created, as they had got as much marketing as the account's rule allows. */
	cappedCount: z.int(),
	/** As it was ordered; of a small audience that is nobody. */
	holdOutPercent: z.nullable(HoldOutPercent),
	/** While it waits in the account's quiet hours: when they end, as 09:00 in India. */
	quietUntil: z.nullable(z.string()),
	/** The campaign whose failed messages this one sends again, and those that send this one's, the first twenty. */
	retryOf: z.nullable(z.object({ _id: RowId, name: z.string() })),
	retries: z.array(z.object({ _id: RowId, name: z.string() })),
	/** Still set aside for messages not yet settled. */
	onHold: z.number(),
	startedAt: z.nullable(Time),
	finishedAt: z.nullable(Time),
	/**
	 * The database was restored from a backup, and the owner has to say through which message it was sent: at least
	 * `claimedThrough`, and as far as reports show `reportedThrough`.
	 */
	restored: z.nullable(z.object({ at: Time, claimedThrough: z.int(), reportedThrough: z.int() })),
	/** Since then only the totals are kept, not the recipients. */
	messagesRemovedAt: z.nullable(Time),
})
export type CampaignDetail = z.output<typeof CampaignDetail>

/** How many messages are in each status now; they add up to `totalCount`. */
export const StatusCounts = z.object({
	sent: z.int(),
	delivered: z.int(),
	read: z.int(),
	failed: z.int(),
	pending: z.int(),
})
export type StatusCounts = z.output<typeof StatusCounts>

/** Which recipients a report lists: those in a status, or who followed a counted link. */
export const RecipientFilter = z.enum([...MessageStatus.options, 'clicked'])
export type RecipientFilter = z.output<typeof RecipientFilter>

export const SentMessage = z.object({
	_id: RowId,
	/** As the contact is called now, or the row of the file; null for a number alone. */
	name: z.nullable(z.string()),
	number: z.string(),
	status: MessageStatus,
	held: z.boolean(),
	/** Why it failed, in plain words. */
	error: z.nullable(z.string()),
	createdAt: z.nullable(Time),
	/** When its recipient first followed a counted link, and how often since. */
	clickedAt: z.nullable(Time),
	clicks: z.int(),
	/** What WhatsApp calls it, which Meta's support asks for; null until it is accepted. */
	wamid: z.nullable(z.string()),
})
export type SentMessage = z.output<typeof SentMessage>

/** Messages that failed for one reason. `meaning` and `advice` are for the business, in its words. */
export const FailureGroup = z.object({
	/** Meta's error code; negative for our own reasons. */
	code: z.int(),
	/** As the network worded it. */
	error: z.string(),
	count: z.int(),
	title: z.string(),
	meaning: z.string(),
	advice: z.string(),
	isWorthRetrying: z.boolean(),
})
export type FailureGroup = z.output<typeof FailureGroup>

export const CreateCampaignBody = z.object({
	name: Required('Campaign name is required'),
	description: OptionalText(1000),
	templateId: Required('Please select a template'),
	variables: VariablesText,
	audienceType: z._default(AudienceType, 'all'),
	selectedGroup: OptionalId,
	/** For the audience `segment`, whose rules are asked once, now. */
	segmentId: OptionalId,
	columns: FileColumnsText,
	formats: FormatsText,
	...Timing,
	/** Keeps so many percent of the audience out, by chance, to compare. */
	holdOutPercent: z.optional(z.pipe(z.pipe(Text(10), z.transform(Number)), HoldOutPercent)),
	retryHeldBack: z._default(
		z.pipe(
			z.enum(['true', 'false']),
			z.transform((text) => text === 'true'),
		),
		false,
	),
	requestId: z.optional(RequestId),
	/** Rupees for each message, as the summary showed: with another price by now, nothing is ordered. */
	price: OptionalText(20),
})

export type CreateCampaignBody = z.output<typeof CreateCampaignBody>

/** What the list of campaigns can be ordered by. */
export const SORTED_BY = ['name', 'createdAt', 'status', 'totalCount', 'cost'] as const
/** What keeps the account from sending at present, or soon will; null where all is well. Amounts in rupees. */
const Standing = z.object({
	/** `reason` says why, and what to do, where that is not the same each time. */
	sender: z.nullable(
		z.object({
			kind: z.enum(['no-credentials', 'stopped', 'waiting', 'no-reports', 'currency', 'payment-method']),
			reason: z.nullable(z.string()),
		}),
	),
	/** `empty`: too little for one message. */
	wallet: z.nullable(z.object({ kind: z.enum(['empty', 'low']), balance: z.number() })),
})
export type Standing = z.output<typeof Standing>

export const oneCampaign = { access: 'user', params: z.object({ id: Id }) } as const

export const campaigns = {
	list: endpoint('GET /api/campaigns', {
		access: 'user',
		query: z.object({
			...ListQuery,
			...SortedBy(SORTED_BY, 'createdAt'),
			/** An empty or unreadable one filters nothing, as a link with a typo should still open. */
			status: z.catch(z.optional(CampaignStatus), undefined),
			/** Test messages are left out unless asked for. */
			tests: z.catch(z.enum(['hide', 'show']), 'hide'),
		}),
		response: z.object({ campaigns: z.array(CampaignRow), totalPages: z.int() }),
	}),
	/** When people have read what the account sent, by Indian time; null before enough of them did. */
	bestTime: endpoint('GET /api/campaigns/best-time', {
		access: 'user',
		response: z.object({
			/** The hour from 0 to 23, and the day of the week from 0, Sunday. */
			best: z.nullable(z.object({ hour: z.int(), weekday: z.int() })),
		}),
	}),
	create: endpoint('POST /api/campaigns', {
		effort: 'long',
		access: 'user',
		body: CreateCampaignBody,
		files: AUDIENCE_FILE,
		response: z.object({ message: z.string(), campaign: CampaignRow }),
	}),
	/** For every screen of a user. */
	standing: endpoint('GET /api/campaigns/standing', { access: 'user', response: Standing }),
	/** Lets a sender that has stopped try again, also where no campaign waits for it. */
	resumeSending: endpoint('POST /api/campaigns/resume', { access: 'user', response: Message }),
	get: endpoint('GET /api/campaigns/{id}', {
		...oneCampaign,
		query: z.object({ page: Page, limit: Limit(10) }),
		response: z.object({ campaign: CampaignDetail }),
	}),
	refresh: endpoint('GET /api/campaigns/{id}/refresh', {
		...oneCampaign,
		query: z.object({ ...ListQuery, status: z.catch(z.optional(RecipientFilter), undefined) }),
		response: z.object({
			campaign: CampaignDetail,
			sentMessages: z.array(SentMessage),
			statusCounts: StatusCounts,
			failures: z.array(FailureGroup),
			totalPages: z.int(),
			lastRefreshed: Time,
		}),
	}),
	/** Only before it has started (409 after that). The audience, and so the cost, stay as they are. */
	update: endpoint('PUT /api/campaigns/{id}', {
		...oneCampaign,
		body: z.object({
			name: Required('Campaign name is required'),
			description: OptionalText(1000),
			variables: z._default(Variables, {}),
			...Timing,
		}),
		response: z.object({ message: z.string(), campaign: CampaignDetail }),
	}),
	/** Counts the messages of a restored campaign through this one as sent, before it can be resumed or cancelled. */
	decideRestored: endpoint('POST /api/campaigns/{id}/restored', {
		...oneCampaign,
		body: z.object({ sentThrough: z.int().check(z.minimum(0)) }),
		response: Message,
	}),
	pause: endpoint('POST /api/campaigns/{id}/pause', { ...oneCampaign, response: Message }),
	resume: endpoint('POST /api/campaigns/{id}/resume', { ...oneCampaign, response: Message }),
	cancel: endpoint('POST /api/campaigns/{id}/cancel', { ...oneCampaign, response: Message }),
}
