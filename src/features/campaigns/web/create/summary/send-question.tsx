import type { CampaignEstimate } from '#features/campaigns/preflight-contract.ts'
import { formatDateTime } from '#lib/dates.ts'
import { durationText } from '#lib/durations.ts'
import { formatRupees } from '#lib/money.ts'
import { plural } from '#lib/numbers.ts'
import { ConfirmDialog } from '#lib/web/ui/feedback/confirm-dialog.tsx'
import { Facts } from '#lib/web/ui/value/facts.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import type { CampaignFields } from '../fields/campaign-fields.ts'
import { timesOf } from '../use-estimate.ts'
import type { SummaryFacts } from './summary-lines.tsx'
import styles from '../create-campaign.module.css'

const LISTS = { all: 'List', group: 'Group', file: 'List', segment: 'Segment' }

interface SendQuestionProps {
	/** Null without a question. */
	estimate: CampaignEstimate | null
	fields: CampaignFields
	/** Names of the template and the audience. */
	chosen: SummaryFacts['chosen']
	onConfirm: () => void
	onClose: () => void
}

/** Asks before a campaign spends money, with number, time, cost and list. */
export function SendQuestion({ estimate, fields, chosen, onConfirm, onClose }: SendQuestionProps) {
	return (
		<ConfirmDialog
			dialog={{ opened: estimate !== null, close: onClose }}
			title={estimate ? questionOf(fields, estimate) : ''}
			confirm="Send Campaign"
			onConfirm={onConfirm}
		>
			{estimate && (
				<>
					<Facts
						ruled
						className={styles.summary}
						of={{
							Cost: <b>{formatRupees(estimate.cost)}</b>,
							[LISTS[fields.audienceType]]: <UserText text={chosen.audience ?? ''} />,
							Template: chosen.template,
							Takes: durationOf(estimate),
						}}
					/>
					<p className={`quiet ${styles.recall}`}>You can’t recall messages once sent.</p>
				</>
			)}
		</ConfirmDialog>
	)
}

/** Returns "Send 2,964 messages now?", or with the time, which may be the end of the quiet hours. */
function questionOf(fields: CampaignFields, estimate: CampaignEstimate): string {
	const { startsAt, isAfterQuietHours } = timesOf(fields, estimate)
	const what = `Send ${plural(estimate.recipients, 'message')}`
	if (startsAt === null) return `${what} now?`
	return `${what} on ${formatDateTime(startsAt)} IST${isAfterQuietHours ? ', when your quiet hours are over' : ''}?`
}

function durationOf({ plan, durationSeconds }: CampaignEstimate): string | null {
	if (plan && plan.days > 1)
		return `about ${plan.days} days under WhatsApp’s daily limit, until ${formatDateTime(plan.until)} IST`
	return durationSeconds === null ? null : durationText(durationSeconds)
}
