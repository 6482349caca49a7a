import { Group, Select } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useId } from 'react'
import styles from './choice.module.css'

interface ChoiceProps<Value extends string> {
	label: string
	value: Value
	options: readonly { value: Value; label: string }[]
	/** A line about the chosen option. */
	description?: string
	onChange: (value: Value) => void
	/** The field's path in the form, by which `focusFirst` finds it. */
	path: string
	error?: React.ReactNode
}

/** Chooses one of a few options: segments side by side, on narrow screens a select. */
export function Choice<Value extends string>(props: ChoiceProps<Value>) {
	const { label, value, options, description, onChange, path, error } = props
	const isWide = useMediaQuery('(min-width: 40em)', undefined, { getInitialValueInEffect: false })
	if (isWide) return <Segments {...props} />
	const choose = (chosen: string | null) => {
		const option = options.find((one) => one.value === chosen)
		if (option) onChange(option.value)
	}
	return (
		<Select
			label={label}
			description={description}
			error={error}
			data={options.map((option) => ({ ...option }))}
			value={value}
			onChange={choose}
			allowDeselect={false}
			data-path={path}
		/>
	)
}

function Segments<Value extends string>(props: ChoiceProps<Value>) {
	const { label, value, options, description, onChange, path, error } = props
	const id = useId()
	return (
		<fieldset className={styles.choice} aria-describedby={`${id}-about`}>
			<legend>{label}</legend>
			<Group className="well" gap={4} align="stretch" wrap="nowrap" p={4}>
				{options.map((option) => (
					<label key={option.value} className={styles.segment}>
						<input
							type="radio"
							name={id}
							value={option.value}
							checked={option.value === value}
							onChange={() => onChange(option.value)}
							data-path={option.value === value ? path : undefined}
						/>
						{option.label}
					</label>
				))}
			</Group>
			<p id={`${id}-about`} data-error={Boolean(error)}>
				{error ?? description}
			</p>
		</fieldset>
	)
}
