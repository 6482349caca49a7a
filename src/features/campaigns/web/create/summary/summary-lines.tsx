import { Box } from '@mantine/core'
import { Fragment, type ReactNode } from 'react'
import type { CampaignEstimate } from '#features/campaigns/preflight-contract.ts'
import { planText } from '#features/delivery/web/parts.tsx'
import { formatDateTime } from '#lib/dates.ts'
import { durationText } from '#lib/durations.ts'
import { formatRupees } from '#lib/money.ts'
import { formatCount, plural } from '#lib/numbers.ts'
import { Facts } from '#lib/web/ui/value/facts.tsx'
import { Money } from '#lib/web/ui/value/money.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import { opensAt, type CampaignFields } from '../fields/campaign-fields.ts'
import { leftOutText, type LeftOutRows } from '../file/left-out.ts'
import { shortageOf } from '../problems.ts'
import { timesOf, type OrderEstimate, type useEstimate } from '../use-estimate.ts'
import styles from '../create-campaign.module.css'

export interface SummaryFacts {
	fields: CampaignFields
	/** The names of template and audience; undefined while not chosen. */
	chosen: { template: string | undefined; audience: string | undefined }
	/** Estimate of the order; undefined until it is known. */
	estimate: OrderEstimate | undefined
	/** Rows of a file that are left out; undefined without a file. */
	leftOut: LeftOutRows | undefined
	/** The query of the estimate. */
	reading: ReturnType<typeof useEstimate>
}

/** Shows audience, time and cost. */
export function SummaryLines({ fields, chosen, estimate, leftOut, reading }: SummaryFacts) {
	// A file that is not chosen has nothing to count. Other figures are being read.
	const unknown = fields.audienceType === 'file' || reading.isError ? '-' : '…'
	const after = estimate ? <Money rupees={estimate.walletBalance - estimate.cost} /> : unknown
	return (
		<Facts
			className={styles.summary}
			ruled
			of={{
				Template: chosen.template ?? 'Not chosen yet',
				Audience: <UserText text={chosen.audience ?? 'Not chosen yet'} />,
				Recipients: estimate ? formatCount(estimate.recipients) : unknown,
				'Left out': leftOutText(leftOut, estimate),
				'Test group': fields.holdOutPercent !== '' && estimate && controlGroupText(estimate),
				When: (
					<>
						{whenText(fields, estimate)}
						{estimate && estimate.recipients > 0 && <Duration fields={fields} estimate={estimate} />}
					</>
				),
				'Estimated cost': <b>{estimate && chosen.template ? <Cost estimate={estimate} /> : '-'}</b>,
				'Wallet balance': estimate ? <Money rupees={estimate.walletBalance} /> : unknown,
				'Balance after': shortageOf(estimate) ? (
					<Box component="span" className="faulty" fw={600}>
						{after}
					</Box>
				) : (
					after
				),
			}}
		/>
	)
}

function whenText(fields: CampaignFields, estimate: CampaignEstimate | undefined): ReactNode {
	const at = opensAt(fields)
	if (fields.schedule !== 'now' && !at) return 'Not chosen yet'
	const { startsAt, isAfterQuietHours } = estimate
		? timesOf(fields, estimate)
		: { startsAt: at, isAfterQuietHours: false }
	if (!startsAt) return 'Now'
	return (
		<>
			{formatDateTime(startsAt)} IST
			{isAfterQuietHours && <small className="fine">when your quiet hours are over</small>}
		</>
	)
}

function controlGroupText({ controlGroup, recipients }: OrderEstimate): string {
	const of = formatCount(controlGroup + recipients)
	return controlGroup > 0
		? `${formatCount(controlGroup)} of ${of} will get nothing, to compare`
		: `None, as ${of} are too few`
}

/** Shows how long the campaign takes, in one line. */
function Duration({ fields, estimate }: { fields: CampaignFields; estimate: CampaignEstimate }) {
	const { durationSeconds, limit, plan, recipients } = estimate
	if (limit && plan && plan.days > 1)
		return (
			<>
				<small className="fine">{planText(recipients, plan)}</small>
				<small className="fine">
					WhatsApp’s daily limit: {plural(limit.perDay, 'person', 'people')} in 24 hours, {formatCount(limit.left)} left
					now
				</small>
			</>
		)
	if (durationSeconds === null) return null
	const { endsAt } = timesOf(fields, estimate)
	return (
		<small className="fine">
			takes {durationText(durationSeconds)}
			{endsAt && `, done by ${formatDateTime(endsAt)} IST`}
		</small>
	)
}

/** Returns what the cost consists of: "2,950 in India × ₹1.00, 40 in United Arab Emirates × ₹3.90". */
function splitText({ recipients, price, markets }: CampaignEstimate): ReactNode {
	if (markets.length === 0) return `${formatCount(recipients)} × ${formatRupees(price)}`
	return markets.map((group, index) => (
		<Fragment key={group.market + group.price}>
			<span className={styles.market}>
				{formatCount(group.recipients)} in {group.market} × {formatRupees(group.price)}
				{index < markets.length - 1 && ','}
			</span>{' '}
		</Fragment>
	))
}

function Cost({ estimate }: { estimate: CampaignEstimate }) {
	return (
		<>
			<Money rupees={estimate.cost} />
			<small className="fine">
				{estimate.isHighestCost && 'at most: '}
				{splitText(estimate)}
			</small>
		</>
	)
}
