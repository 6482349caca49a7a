import * as z from 'zod/mini'
import { AUDIENCE_FILE, FileColumnsText, FormatsText, Variables, VariablesText } from '#features/audiences/contract.ts'
import { ControlGroup, ControlGroupPercent } from '#features/audiences/rules.ts'
import { Pacing, PacingState } from '#features/delivery/contract.ts'
import { MessageStatus, AudienceType, CampaignStatus } from '#features/delivery/rules.ts'
import { FileChoiceText } from '#features/header-files/match-contract.ts'
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
import { ShownPrices } from './rules.ts'

/** Amounts in rupees. `sentCount` is what the network accepted: sent, delivered and read together. */
export const CampaignRow = z.object({
	_id: RowId,
	name: z.string(),
	status: CampaignStatus,
	statusReason: z.nullable(z.string()),
	totalCount: z.int(),
	sentCount: z.int(),
	failedCount: z.int(),
	/** Messages that are not sent yet. */
	pendingCount: z.int(),
	cost: z.number(),
	/** Delivered messages, read ones included. */
	deliveredCount: z.int(),
	readCount: z.int(),
	/**
	 * Messages that may still arrive: pending and sent ones while the campaign is processing, sent ones until 24 hours
	 * after its start or end.
	 */
	arrivingCount: z.int(),
	/** Recipients who replied, as `REPLIED_MEANS` says. */
	repliedCount: z.int(),
	/** Recipients who quoted the message or pressed a button, as `QUOTED_MEANS` says. */
	quotedCount: z.int(),
	/** True when the template has a counted link. */
	countsClicks: z.boolean(),
	/** Recipients who followed the counted link. */
	clickedCount: z.int(),
	/** The control group; null without one. */
	heldOut: z.nullable(ControlGroup),
	createdAt: Time,
	/** The planned or actual start. */
	opensAt: Time,
	/** True for a test message to one number. */
	isTest: z.boolean(),
	/** True for the API campaign of a day. */
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
	/** The chosen group; null when it was deleted. */
	selectedGroup: z.nullable(z.string()),
	/** The chosen segment, which may be deleted. */
	segmentId: z.nullable(RowId),
	/** The id that the form takes; null when the account no longer has the template. */
	templateId: z.nullable(z.string()),
	schedule: Schedule,
	/** Name of the person who created it; null for a program, and in an account without colleagues. */
	createdBy: z.optional(z.nullable(z.string())),
	price: z.number(),
	/** Refunds of failed messages that wait for an admin. Until then they are part of the cost. */
	refundWaiting: z.number(),
	/** Number of clicks on the counted link by all recipients. */
	clickCount: z.int(),
	/** People who were left out at the creation, because they had received as much marketing as the account's rule allows. */
	cappedCount: z.int(),
	/** Messages that WhatsApp accepted over its marketing route and the ordinary one; both 0 unless marketing. */
	routes: z.object({ marketing: z.int(), ordinary: z.int() }),
	/** Recipients who were left out since their country is blocked or has no price. */
	unpricedCount: z.int(),
	/**
	 * Messages that were refunded because WhatsApp does not charge them, with those whose refund waits for an admin, and the sum
	 * of their prices; null for none.
	 */
	passedOn: z.nullable(z.object({ messages: z.int(), amount: z.number() })),
	/** True if messages to other countries have prices of their own. */
	hasMessagePrices: z.boolean(),
	/** True when each person got a header file of their own. */
	hasPersonFiles: z.boolean(),
	/** The ordered percentage of the control group, which is empty for a small audience. */
	holdOutPercent: z.nullable(ControlGroupPercent),
	/** End of the quiet hours in which the campaign waits, as 09:00 in India; null outside of them. */
	quietUntil: z.nullable(z.string()),
	...PacingState,
	/** The campaign whose failed messages this one sends again. `retries` are the first twenty that send those of this one. */
	retryOf: z.nullable(z.object({ _id: RowId, name: z.string() })),
	retries: z.array(z.object({ _id: RowId, name: z.string() })),
	/** The hold for messages that are not settled yet. */
	onHold: z.number(),
	startedAt: z.nullable(Time),
	finishedAt: z.nullable(Time),
	/**
	 * Set after a restore until the account has entered the last message that was sent: not before `claimedThrough`, nor
	 * before `reportedThrough`, which status updates name.
	 */
	restored: z.nullable(z.object({ at: Time, claimedThrough: z.int(), reportedThrough: z.int() })),
	/** Time since which only the totals are retained, not the recipients. */
	messagesRemovedAt: z.nullable(Time),
})
export type CampaignDetail = z.output<typeof CampaignDetail>

/** Number of messages in each status. They add up to `totalCount`. */
export const StatusCounts = z.object({
	sent: z.int(),
	delivered: z.int(),
	read: z.int(),
	failed: z.int(),
	pending: z.int(),
})
export type StatusCounts = z.output<typeof StatusCounts>

/** The recipients that a report lists: by status, or by their clicks. */
export const RecipientFilter = z.enum([...MessageStatus.options, 'clicked'])
export type RecipientFilter = z.output<typeof RecipientFilter>

export const SentMessage = z.object({
	_id: RowId,
	/** The present name of the contact, or the name in the file; null for a number without a name. */
	name: z.nullable(z.string()),
	number: z.string(),
	status: MessageStatus,
	/** The number of the list, when the person changed it before the message was sent; otherwise null. */
	listedNumber: z.nullable(z.string()),
	isInQualityCheck: z.boolean(),
	/** The reason of a failure, in plain words. */
	error: z.nullable(z.string()),
	createdAt: z.nullable(Time),
	/** Time of the first click on a counted link, and number of clicks. */
	clickedAt: z.nullable(Time),
	clicks: z.int(),
	/** The wamid, which Meta's support asks for; null until the message is accepted. */
	wamid: z.nullable(z.string()),
})
export type SentMessage = z.output<typeof SentMessage>

/** Messages that failed for one reason. `meaning` and `advice` are for the business, in its words. */
export const FailureGroup = z.object({
	/** Meta's error code; negative for our own reasons. */
	code: z.int(),
	/** Meta's text of the error. */
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
	/** The segment. Its rules are applied once, when the campaign is created. */
	segmentId: OptionalId,
	columns: FileColumnsText,
	formats: FormatsText,
	headerFiles: FileChoiceText,
	...Timing,
	...Pacing,
	/** Percentage of the audience in the control group. */
	holdOutPercent: z.optional(z.pipe(z.pipe(Text(10), z.transform(Number)), ControlGroupPercent)),
	requestId: z.optional(RequestId),
	...ShownPrices,
})

export type CreateCampaignBody = z.output<typeof CreateCampaignBody>

/** Fields that sort the list of campaigns. */
export const SORTED_BY = ['name', 'createdAt', 'status', 'totalCount', 'cost'] as const
/** Problems that keep the account from sending, or soon will; null without any. Amounts in rupees. */
const Standing = z.object({
	/** `reason` gives the cause and the remedy for a kind that has several causes. */
	sender: z.nullable(
		z.object({
			kind: z.enum(['no-credentials', 'stopped', 'waiting', 'no-reports', 'currency', 'payment-method']),
			reason: z.nullable(z.string()),
		}),
	),
	/** `empty`: less than the price of one message. */
	wallet: z.nullable(z.object({ kind: z.enum(['empty', 'low']), balance: z.number() })),
})
export type Standing = z.output<typeof Standing>

export const oneCampaign = { access: 'manager', params: z.object({ id: Id }) } as const

export const campaigns = {
	list: endpoint('GET /api/campaigns', {
		access: 'manager',
		query: z.object({
			...ListQuery,
			...SortedBy(SORTED_BY, 'createdAt'),
			/** An empty or unreadable status filters nothing, so that a link with a typo opens. */
			status: z.catch(z.optional(CampaignStatus), undefined),
			/** Test messages are shown on request only. */
			tests: z.catch(z.enum(['hide', 'show']), 'hide'),
		}),
		response: z.object({ campaigns: z.array(CampaignRow), totalPages: z.int() }),
	}),
	/**
	 * Returns the hour and the weekday in which most messages were read, in Indian time; null before enough were read.
	 */
	bestTime: endpoint('GET /api/campaigns/best-time', {
		access: 'manager',
		response: z.object({
			/** The hour from 0 to 23, and the day of the week from 0, Sunday. */
			best: z.nullable(z.object({ hour: z.int(), weekday: z.int() })),
		}),
	}),
	create: endpoint('POST /api/campaigns', {
		effort: 'long',
		access: 'manager',
		body: CreateCampaignBody,
		files: AUDIENCE_FILE,
		response: z.object({ message: z.string(), campaign: CampaignRow }),
	}),
	/** Returns the problems of sending for every screen of a user. */
	standing: endpoint('GET /api/campaigns/standing', { access: 'manager', response: Standing }),
	/** Resumes a sender that has stopped, also without a waiting campaign. */
	resumeSending: endpoint('POST /api/campaigns/resume', { access: 'manager', response: Message }),
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
	/** Changes a campaign before it starts, a 409 after that. Audience and cost stay. */
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
	/**
	 * Counts the messages of a restored campaign up to the number `sentThrough` as sent, before it can be resumed or
	 * cancelled.
	 */
	decideRestored: endpoint('POST /api/campaigns/{id}/restored', {
		...oneCampaign,
		body: z.object({ sentThrough: z.int().check(z.minimum(0)) }),
		response: Message,
	}),
	pause: endpoint('POST /api/campaigns/{id}/pause', { ...oneCampaign, response: Message }),
	resume: endpoint('POST /api/campaigns/{id}/resume', { ...oneCampaign, response: Message }),
	cancel: endpoint('POST /api/campaigns/{id}/cancel', { ...oneCampaign, response: Message }),
}

/**
 * Number of messages sent, delivered, read, failed and clicked in each interval, the oldest first. Intervals without any
 * are left out.
 */
export const Timeline = z.object({
	spanSeconds: z.int(),
	spans: z.array(
		z.object({ at: Time, sent: z.int(), delivered: z.int(), read: z.int(), failed: z.int(), clicks: z.int() }),
	),
})
