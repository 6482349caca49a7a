import { Alert } from '@mantine/core'
import { IconAlertTriangle, IconCalendarEvent, IconClockPause, IconInfoCircle } from '@tabler/icons-react'
import type { CampaignDetail, CampaignStatus } from '#features/campaigns/contract.ts'
import { formatDateTime } from '#lib/dates.ts'
import styles from './campaign-detail.module.css'

const NOTES: Partial<Record<CampaignStatus, { title: string; color: string; advice: string }>> = {
	paused: {
		title: 'This campaign is paused',
		color: 'marigold',
		advice: 'Press Resume to go on where it stopped, or Cancel to get back the money set aside for the rest.',
	},
	failed: {
		title: 'This campaign could not run',
		color: 'red',
		advice: 'The money set aside for it goes back to your wallet. Put right what is named here and create it again.',
	},
	cancelled: {
		title: 'This campaign was cancelled',
		color: 'gray',
		advice: 'The money set aside for messages that were not sent goes back to your wallet.',
	},
}

/** Why a campaign stands still, and what its owner can do about it. */
export function CampaignReason({ campaign }: { campaign: CampaignDetail }) {
	const { status, statusReason, opensAt } = campaign
	const note = NOTES[status]
	if (note)
		return (
			<Alert
				title={note.title}
				color={note.color}
				icon={
					note.color === 'gray' ? <IconInfoCircle size={20} aria-hidden /> : <IconAlertTriangle size={20} aria-hidden />
				}
			>
				{statusReason && <p>{statusReason}</p>}
				<p className={styles.advice}>{note.advice}</p>
			</Alert>
		)
	if (status === 'processing' && statusReason) {
		return (
			<Alert title="Sending waits" color="marigold" icon={<IconClockPause size={20} aria-hidden />}>
				{statusReason}
			</Alert>
		)
	}
	if (status !== 'pending') return null
	return (
		<Alert title="Scheduled" icon={<IconCalendarEvent size={20} aria-hidden />}>
			This campaign starts on {formatDateTime(opensAt)} IST. Its audience and cost are already fixed.
		</Alert>
	)
}
