import { Group, Radio, TextInput } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import { indianDay } from '#lib/dates.ts'
import { useNow } from '#lib/web/ui/value/use-now.ts'
import type { TimingFields } from './campaign-fields.ts'
import styles from '../create-campaign.module.css'

interface ScheduleChoiceProps {
	timing: TimingFields
	/** Of the form's fields schedule, date and time. */
	inputProps: (field: keyof TimingFields) => GetInputPropsReturnType
}

/** Now, or a day and a time in India. */
export function ScheduleChoice({ timing: { schedule }, inputProps }: ScheduleChoiceProps) {
	const today = indianDay(useNow())
	return (
		<>
			<Radio.Group label="When it is sent" {...inputProps('schedule')}>
				<Group gap={24} mt={8}>
					<Radio value="now" label="Send now" />
					<Radio value="later" label="Schedule for later" />
				</Group>
			</Radio.Group>
			{schedule === 'later' && (
				<div className={styles.moment}>
					<TextInput label="Date" type="date" min={today} required {...inputProps('date')} />
					<TextInput label="Time" type="time" required description="Indian time" {...inputProps('time')} />
				</div>
			)}
		</>
	)
}
