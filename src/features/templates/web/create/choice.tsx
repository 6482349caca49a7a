import { Input, SegmentedControl, Select } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useId } from 'react'

interface ChoiceProps<Value extends string> {
	label: string
	value: Value
	options: readonly { value: Value; label: string }[]
	/** A line about what is chosen. */
	description?: string
	onChange: (value: Value) => void
	/** The form's path, by which the field is found. */
	path: string
	error?: React.ReactNode
}

/** One of a few: side by side where there is room, else a list to open. */
export function Choice<Value extends string>(props: ChoiceProps<Value>) {
	const { label, value, options, description, onChange, path, error } = props
	const isWide = useMediaQuery('(min-width: 40em)', undefined, { getInitialValueInEffect: false })
	const id = useId()
	const data = options.map((option) => ({ ...option }))
	const choose = (chosen: string | null) => {
		const option = options.find((one) => one.value === chosen)
		if (option) onChange(option.value)
	}
	if (!isWide)
		return (
			<Select
				label={label}
				description={description}
				error={error}
				data={data}
				value={value}
				onChange={choose}
				allowDeselect={false}
				data-path={path}
			/>
		)
	return (
		<Input.Wrapper
			label={label}
			labelElement="div"
			labelProps={{ id }}
			description={description}
			error={error}
			inputWrapperOrder={['label', 'input', 'description', 'error']}
			data-path={path}
		>
			<SegmentedControl aria-labelledby={id} data={data} value={value} onChange={choose} fullWidth />
		</Input.Wrapper>
	)
}
