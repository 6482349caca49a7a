import { Group, Radio, TextInput } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { campaigns } from '#features/campaigns/contract.ts'
import { LimitLine } from '#features/delivery/web/parts.tsx'
import { formatClock, INDIAN_UTC_OFFSET, indianDay } from '#lib/dates.ts'
import { HOUR_MS } from '#lib/durations.ts'
import { query } from '#lib/web/query.ts'
import { useNow } from '#lib/web/ui/value/use-now.ts'
import { spell, type TimingFields } from './campaign-fields.ts'
import styles from '../create-campaign.module.css'

interface ScheduleFieldsProps {
	timing: TimingFields
	/** Returns the props of the inputs schedule, date and time. */
	inputProps: (field: keyof TimingFields) => GetInputPropsReturnType
}

/** Shows the choice between now and a time in India. */
export function ScheduleFields({ timing, inputProps }: ScheduleFieldsProps) {
	const { schedule, date } = timing
	const today = indianDay(useNow())
	return (
		<>
			<Radio.Group label="When it is sent" {...inputProps('schedule')}>
				<Group gap={24} mt={8}>
					<Radio value="now" label="Send now" />
					<Radio value="later" label="Schedule for later" />
				</Group>
			</Radio.Group>
			<BestTime />
			<LimitLine />
			{schedule === 'later' && (
				<div className={styles.moment}>
					<TextInput type="date" label="Date" min={today} required {...inputProps('date')} />
					<TextInput type="time" label="Time" required {...inputProps('time')} />
					<p role="status">{date ? <b>{spell(timing)}</b> : 'Indian time (IST)'}</p>
				</div>
			)}
		</>
	)
}

const WEEKDAYS = ['Sundays', 'Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays']

/** Shows when the account's messages are read most; nothing before two weeks of reads. */
function BestTime() {
	const best = useQuery(query(campaigns.bestTime)).data?.best
	if (!best) return null
	return (
		<p className="quiet">
			Best time: {WEEKDAYS[best.weekday]}, {hourText(best.hour)} to {hourText(best.hour + 1)}
		</p>
	)
}

function hourText(hour: number): string {
	return formatClock(Date.parse(`2026-01-01T00:00${INDIAN_UTC_OFFSET}`) + hour * HOUR_MS).replace(':00', '')
}
