import { Group, Radio } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import { indianDay } from '#lib/dates.ts'
import { spellDay, writeTime } from '#lib/typed-dates.ts'
import { DateField, TimeField } from '#lib/web/ui/form/date-time-field.tsx'
import { useNow } from '#lib/web/ui/value/use-now.ts'
import type { TimingFields } from './campaign-fields.ts'
import styles from '../create-campaign.module.css'

interface ScheduleChoiceProps {
	timing: TimingFields
	/** Of the form's fields schedule, date and time. */
	inputProps: (field: keyof TimingFields) => GetInputPropsReturnType
}

/** Now, or a day and a time in India. */
export function ScheduleChoice({ timing, inputProps }: ScheduleChoiceProps) {
	const today = indianDay(useNow())
	return (
		<>
			<Radio.Group label="When it is sent" {...inputProps('schedule')}>
				<Group gap={24} mt={8}>
					<Radio value="now" label="Send now" />
					<Radio value="later" label="Schedule for later" />
				</Group>
			</Radio.Group>
			{timing.schedule === 'later' && (
				<div className={styles.moment}>
					<DateField
						label="Date"
						pickerLabel="Open the calendar"
						min={today}
						required
						value={timing.date}
						{...inputProps('date')}
					/>
					<TimeField label="Time" pickerLabel="Open the clock" required value={timing.time} {...inputProps('time')} />
					<p role="status">{timing.date ? <b>{spell(timing)}</b> : 'Both are Indian time.'}</p>
				</div>
			)}
		</>
	)
}

/** How the two fields were understood. */
function spell({ date, time }: TimingFields): string {
	return time ? `${spellDay(date)}, ${writeTime(time)} IST` : spellDay(date)
}
