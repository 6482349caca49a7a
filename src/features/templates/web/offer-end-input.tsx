import { Group, TextInput } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import { readOfferEnd } from '#features/templates/values.ts'
import { formatDateTime, indianDay } from '#lib/dates.ts'
import { useNow } from '#lib/web/ui/value/use-now.ts'

/** Time that a chosen date gets while no time is chosen: an offer usually lasts until the end of its day. */
const END_OF_DAY = '23:59'

interface OfferEndInputProps {
	label: string
	/** The form's input props of the value, such as 2026-12-31T18:30 in Indian time. */
	inputProps: GetInputPropsReturnType
	onChange: (value: string) => void
}

/** Renders the end of a limited-time offer as a date and a time in India. */
export function OfferEndInput({ label, inputProps, onChange }: OfferEndInputProps) {
	const value = String(inputProps.value ?? '')
	const [date = '', time = ''] = value.split('T')
	const ends = readOfferEnd(value)
	const change = (next: { date: string; time: string }) =>
		onChange(next.date || next.time ? `${next.date}T${next.time}` : '')
	return (
		<div>
			<Group gap="8px 16px" align="flex-start" grow preventGrowOverflow={false} wrap="wrap">
				<TextInput
					type="date"
					label={label}
					min={indianDay(useNow())}
					required
					{...inputProps}
					value={date}
					onChange={(event) => change({ date: event.currentTarget.value, time: time || END_OF_DAY })}
				/>
				<TextInput
					type="time"
					label="Time of the end"
					required
					value={time.slice(0, 5)}
					onChange={(event) => change({ date, time: event.currentTarget.value })}
				/>
			</Group>
			<p className="quiet" role="status">
				{ends === null ? 'Indian time (IST)' : `The offer ends on ${formatDateTime(new Date(ends).toISOString())}.`}
			</p>
		</div>
	)
}
