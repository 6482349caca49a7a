import { Button, Menu, TextInput } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import { IconChevronDown } from '@tabler/icons-react'
import { useRef } from 'react'
import { tagLabel } from '#features/audiences/values.ts'
import type { Component } from '#features/templates/contract.ts'
import {
	cardsOf,
	componentsIn,
	findComponent,
	isFixed,
	labelInPart,
	slotsOf,
	splitVariables,
	withKnownTags,
	type Slot,
} from '#features/templates/values.ts'
import { OfferEndInput } from '#features/templates/web/offer-end-input.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import type { TagSource } from './merge-tags.ts'
import { editedValue, shownValue } from './shown-value.ts'
import { TagSettings, type TagSettingsProps } from './tag-settings.tsx'
import styles from './variables.module.css'

export interface VariableInputsProps {
	/** The components of the template, which has variables. */
	components: readonly Component[]
	source: TagSource
	inputProps: (path: string) => GetInputPropsReturnType
	onFormat?: TagSettingsProps['onFormat']
}

/** Shows the values of the template's variables: a text for all recipients, or a merge tag. */
export function VariableInputs({ components, ...rest }: VariableInputsProps) {
	const inputs = (slots: readonly Slot[]) =>
		slots.map((slot) => <SlotInput key={slot.key} slot={slot} components={components} {...rest} />)
	const slots = slotsOf(components)
	if (cardsOf(components).length === 0) return inputs(slots)
	return [...Map.groupBy(slots, ({ card }) => card)].map(([card, ofPart]) => (
		<fieldset key={card ?? 'message'} className={`well ${styles.part}`}>
			<legend>{card === undefined ? 'Message' : `Card ${card + 1}`}</legend>
			{inputs(ofPart)}
		</fieldset>
	))
}

function SlotInput({ slot, components, source, inputProps, onFormat }: VariableInputsProps & { slot: Slot }) {
	const label = labelInPart(slot, components)
	const props = inputProps(`variables.${slot.key}`)
	if (slot.fills === 'ends')
		return <OfferEndInput label={label} inputProps={props} onChange={(value) => change(props, value)} />
	if (isFixed(slot)) return <TextInput label={label} required autoComplete="off" {...props} />
	return (
		<VariableInput
			label={label}
			beside={textBeside(slot, components)}
			source={source}
			inputProps={props}
			onFormat={onFormat}
		/>
	)
}

function change({ onChange }: GetInputPropsReturnType, value: string): void {
	const set = onChange as (value: string) => void
	set(value)
}

interface VariableInputProps {
	label: string
	/** The words of the template around the variable; undefined for a button. */
	beside: string | undefined
	source: TagSource
	inputProps: GetInputPropsReturnType
	onFormat?: TagSettingsProps['onFormat']
}

function VariableInput({ label, beside, source, inputProps, onFormat }: VariableInputProps) {
	const value = String(inputProps.value ?? '')
	const blur = inputProps.onBlur as ((event: unknown) => void) | undefined
	const input = useRef<HTMLInputElement>(null)
	const shown = shownValue(value, source.fields)
	const edit = (typed: string) => change(inputProps, editedValue(value, typed, source.fields))
	const insert = (tag: string) => {
		const from = input.current?.selectionStart ?? shown.length
		const to = input.current?.selectionEnd ?? from
		const before = shown.slice(0, from)
		// A space separates first and last name.
		const space = before.endsWith('›') ? ' ' : ''
		edit(`${before}${space}{{${tag}}}${shown.slice(to)}`)
	}
	return (
		<div>
			<TextInput
				ref={input}
				label={label}
				required
				placeholder="Type text, or pick a column below"
				description={beside && <UserText text={beside} />}
				inputWrapperOrder={['label', 'description', 'input', 'error']}
				{...inputProps}
				value={shown}
				onChange={(event) => edit(event.currentTarget.value)}
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
					title={`Inserts ${tagLabel(tag)}`}
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

/** Number of characters shown on each side of a variable. */
const BESIDE = 32

/** Returns the words around a variable, with a gap in its place: "Happy Diwali ____, your bill of …". */
function textBeside(slot: Slot, components: readonly Component[]): string | undefined {
	const { place, name, number } = slot
	const text = findComponent(componentsIn(components, slot), place.toUpperCase())?.text
	if (text === undefined) return undefined
	const pieces = splitVariables(text.replaceAll(/[*~]/g, '').replace(/\s+/g, ' '))
	const at = pieces.findIndex(({ variable }) => variable === String(name ?? number))
	const [before, after] = [pieces.slice(0, at), pieces.slice(at + 1)].map((part) =>
		part.map(({ text: words, variable }) => (variable === undefined ? words : '…')).join(''),
	) as [string, string]
	const cut = before.length > BESIDE ? `…${before.slice(-BESIDE).replace(/^\S* /, '')}` : before
	const rest = after.length > BESIDE ? `${after.slice(0, BESIDE).replace(/ \S*$/, '')}…` : after
	return `${cut}____${rest}`
}
