import { Button, Menu, TextInput } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import { IconChevronDown, IconWand } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useRef } from 'react'
import type { Component } from '#features/templates/contract.ts'
import { mergeTags, slotLabel, slotsOf, withKnownTags } from '#features/templates/values.ts'
import { focusOn } from '#lib/web/form.ts'
import { FormSection } from '#lib/web/ui/form-section.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import { likelyValues } from './likely-values.ts'
import { tagLabel, type TagSource } from './merge-tags.ts'
import { TagSettings, type TagSettingsProps } from './tag-settings.tsx'
import styles from './variables.module.css'

interface VariablesSectionProps {
	number: number
	/** The components of the template, which has variables. */
	components: readonly Component[]
	source: TagSource
	/** True when each variable has a value that can be sent. */
	isReady: boolean
	inputProps: (path: string) => GetInputPropsReturnType
	onFormat?: TagSettingsProps['onFormat']
}

/** Shows the values of the template's variables: a text for all recipients, or a merge tag. */
export function VariablesSection({ number, components, source, isReady, inputProps, onFormat }: VariablesSectionProps) {
	const slots = slotsOf(components)
	const propsOf = (key: string) => inputProps(`variables.${key}`)
	const likely = likelyValues(components, source.fields)
	const isEmpty = (key: string) => !String(propsOf(key).value ?? '').trim()
	const missing = Object.entries(likely).filter(([key]) => isEmpty(key))
	const fillIn = () => missing.forEach(([key, value]) => change(propsOf(key), value))
	const fillInLate = useEffectEvent(fillIn)
	// A file is chosen for its columns, so likely ones are filled in.
	const suggested = source.isFile ? JSON.stringify(likely) : ''
	useEffect(() => {
		if (suggested) fillInLate()
	}, [suggested])
	return (
		<FormSection number={number} title="Variables" done={isReady}>
			{slots.map((slot) => (
				<VariableInput
					key={slot.key}
					label={slotLabel(slot, components)}
					source={source}
					inputProps={propsOf(slot.key)}
					onFormat={onFormat}
				/>
			))}
			{missing.length > 0 && (
				<Button
					variant="light"
					className={styles.fill}
					leftSection={<IconWand size={18} aria-hidden />}
					onClick={() => {
						// The button disappears, so the focus moves to the next missing value, or to the first one to check.
						const next = slots.find(({ key }) => isEmpty(key) && !likely[key])?.key ?? missing[0]?.[0]
						fillIn()
						focusOn(document.querySelector<HTMLElement>(`[data-path="variables.${next}"]`))
					}}
				>
					Fill in {mergeTags(Object.fromEntries(missing)).map(tagLabel).join(', ')}
				</Button>
			)}
		</FormSection>
	)
}

function change({ onChange }: GetInputPropsReturnType, value: string): void {
	const set = onChange as (value: string) => void
	set(value)
}

interface VariableInputProps {
	label: string
	source: TagSource
	inputProps: GetInputPropsReturnType
	onFormat?: TagSettingsProps['onFormat']
}

function VariableInput({ label, source, inputProps, onFormat }: VariableInputProps) {
	const value = String(inputProps.value ?? '')
	const blur = inputProps.onBlur as ((event: unknown) => void) | undefined
	const input = useRef<HTMLInputElement>(null)
	const insert = (tag: string) => {
		const from = input.current?.selectionStart ?? value.length
		const to = input.current?.selectionEnd ?? from
		const before = value.slice(0, from)
		// A space separates first and last name.
		const space = before.endsWith('}}') ? ' ' : ''
		change(inputProps, `${before}${space}{{${tag}}}${value.slice(to)}`)
	}
	return (
		<div>
			<TextInput
				ref={input}
				label={label}
				required
				placeholder="Type text, or pick a column below"
				{...inputProps}
				value={value}
				onBlur={(event: unknown) => {
					blur?.(event)
					const { named = value } = withKnownTags({ named: value }, source.fields)
					if (named !== value) change(inputProps, named)
				}}
			/>
			<TagChips label={label} source={source} onInsert={insert} />
			<TagSettings
				label={label}
				value={value}
				source={source}
				onValue={(next) => change(inputProps, next)}
				onFormat={onFormat}
			/>
		</div>
	)
}

/** Number of chips that does not hide the next variable. */
const MAX_CHIPS = 6

interface TagChipsProps {
	label: string
	source: TagSource
	onInsert: (tag: string) => void
}

/** Shows the merge tags to insert, each with the value of one recipient. */
function TagChips({ label, source: { fields, recipient }, onInsert }: TagChipsProps) {
	if (fields.length === 0) return null
	return (
		<div className={styles.chips} role="group" aria-label={`Insert name or column into ${label}`}>
			<span className="fine" aria-hidden>
				Insert name or column
			</span>
			{fields.slice(0, MAX_CHIPS).map((tag) => (
				<Button
					key={tag}
					className={styles.chip}
					variant="default"
					title={`Inserts {{${tag}}}`}
					onClick={() => onInsert(tag)}
				>
					<TagName tag={tag} sample={recipient?.[tag]} />
				</Button>
			))}
			{fields.length > MAX_CHIPS && (
				<Menu>
					<Menu.Target>
						<Button className={styles.chip} variant="default" rightSection={<IconChevronDown size={14} aria-hidden />}>
							{fields.length - MAX_CHIPS} more
						</Button>
					</Menu.Target>
					{/* A file may have hundreds of columns. */}
					<Menu.Dropdown className="scrolls" mah={320}>
						{fields.slice(MAX_CHIPS).map((tag) => (
							<Menu.Item key={tag} onClick={() => onInsert(tag)}>
								<TagName tag={tag} sample={recipient?.[tag]} />
							</Menu.Item>
						))}
					</Menu.Dropdown>
				</Menu>
			)}
		</div>
	)
}

function TagName({ tag, sample }: { tag: string; sample: string | null | undefined }) {
	return (
		<>
			<UserText text={tagLabel(tag)} /> {sample && <UserText className={styles.sample} text={sample.slice(0, 40)} />}
		</>
	)
}
