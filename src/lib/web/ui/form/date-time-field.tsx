import { ActionIcon, Box, TextInput, type TextInputProps } from '@mantine/core'
import { IconCalendar, IconClock } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { readDay, readTime, writeDay, writeTime } from '#lib/typed-dates.ts'

interface TypedFieldProps extends Omit<TextInputProps, 'value' | 'onChange' | 'type' | 'min' | 'max'> {
	/** What the button beside it opens, for screen readers: "Open the calendar". */
	pickerLabel: string
	/** Empty for nothing, or for what cannot be read. */
	value: string
	/** Once the field is left, or on Enter; not while somebody types. */
	onChange: (value: string) => void
}

interface DateFieldProps extends TypedFieldProps {
	/** The first and the last day that may be chosen. */
	min?: string | undefined
	max?: string | undefined
}

/**
 * A date (2026-11-21) that is typed as in India. A browser's own date input stops Tab at each of its parts; here it only
 * lends its calendar.
 */
export function DateField({ min, max, ...rest }: DateFieldProps) {
	return (
		<TypedField
			{...rest}
			type="date"
			range={{ min, max }}
			placeholder="dd/mm/yyyy"
			read={readDay}
			write={writeDay}
			problemOf={(day) => {
				if (day === null) return 'Write the date as day/month/year, for example 21/11/2026'
				if (min && day < min) return `Choose ${writeDay(min)} or a later date`
				return max && day > max ? `Choose ${writeDay(max)} or an earlier date` : null
			}}
		/>
	)
}

/** A time (22:30) that is typed with or without am and pm. */
export function TimeField(props: TypedFieldProps) {
	return (
		<TypedField
			{...props}
			type="time"
			placeholder="hh:mm am/pm"
			read={readTime}
			write={writeTime}
			problemOf={(time) => (time === null ? 'Write the time as hours:minutes, for example 10:30 am or 22:30' : null)}
		/>
	)
}

interface TypedInputProps extends TypedFieldProps {
	type: 'date' | 'time'
	range?: { min?: string | undefined; max?: string | undefined }
	/** The value of a text, or null. */
	read: (text: string) => string | null
	write: (value: string) => string
	/** What is wrong with a value; null stands for a text that cannot be read. */
	problemOf: (value: string | null) => string | null
}

function TypedField(props: TypedInputProps) {
	const { type, range, read, write, problemOf, pickerLabel, value, onChange, onBlur, error, ...rest } = props
	const [text, setText] = useState(value && write(value))
	const [shown, setShown] = useState(value)
	const [isTyping, setTyping] = useState(false)
	// The form was reset, or the calendar was used. What cannot be read stays, for its mistake to be seen.
	if (shown !== value) {
		setShown(value)
		if ((read(text) ?? '') !== value) setText(value && write(value))
	}
	const settle = () => {
		const found = read(text)
		setTyping(false)
		if (found) setText(write(found))
		if ((found ?? '') !== value) onChange(found ?? '')
	}
	return (
		<TextInput
			{...rest}
			autoComplete="off"
			value={text}
			error={(!isTyping && text.trim() && problemOf(read(text))) || error}
			onChange={(event) => {
				setText(event.currentTarget.value)
				setTyping(true)
			}}
			onKeyDown={(event) => event.key === 'Enter' && settle()}
			onBlur={(event) => {
				settle()
				onBlur?.(event)
			}}
			rightSectionWidth="var(--app-control)"
			rightSection={<Picker type={type} {...range} label={pickerLabel} value={value} onPick={onChange} />}
		/>
	)
}

interface PickerProps {
	type: 'date' | 'time'
	min?: string | undefined
	max?: string | undefined
	label: string
	value: string
	onPick: (value: string) => void
}

/** The browser's calendar or clock. */
function Picker({ label, value, onPick, ...input }: PickerProps) {
	const native = useRef<HTMLInputElement>(null)
	const Icon = input.type === 'date' ? IconCalendar : IconClock
	return (
		// The calendar opens at its input, which is hidden in here.
		<Box pos="relative">
			<input
				{...input}
				ref={native}
				className="visually-hidden"
				tabIndex={-1}
				aria-hidden
				value={value}
				onChange={(event) => onPick(event.currentTarget.value)}
			/>
			<ActionIcon
				color="gray"
				size="var(--app-control)"
				aria-label={label}
				onClick={() => native.current?.showPicker()}
			>
				<Icon size={18} aria-hidden />
			</ActionIcon>
		</Box>
	)
}
