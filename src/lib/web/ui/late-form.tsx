import { useLayoutEffect, useRef, type ComponentType, type MouseEvent } from 'react'
import { draftOf } from '../drafts/draft-store.ts'
import { readToken } from '../session.ts'
import { latePart, type LatePart } from './late-part.tsx'

/** Milliseconds without typing after which the form takes the place of the first inputs. */
const TYPING_MS = 400

const CONTROLS = 'input, textarea, button'
type Control = HTMLInputElement | HTMLTextAreaElement | HTMLButtonElement

/** Typing and presses in a form before its code had loaded. Controls are found again by `nameOf`. */
interface EarlyInput {
	/** Typed texts by the input's name. */
	texts: Map<string, string>
	focused: { name: string; selection: [number, number] | null } | null
	/** Name of the last button that was pressed; empty without one. */
	pressed: string
}

/**
 * Returns a form whose code loads after its page. `First` shows the form's first inputs until then, uncontrolled and with the
 * same `data-path`, and the same buttons without actions. The form gets the typed texts, the focus and the selection, and
 * the last press of a button: each button opens a part of the form or sends it, so that a later press replaces an earlier
 * one. A person who leaves before the form has loaded leaves the typed texts as its draft `draft`.
 */
export function lateForm<Props extends object>(
	load: () => Promise<ComponentType<Props>>,
	First: ComponentType,
	draft: string,
): LatePart<Props> {
	let Form: ComponentType<Props>
	let typedAtMs = -Infinity
	let early: EarlyInput | undefined

	function Early() {
		const place = useRef<HTMLDivElement>(null)
		const pressed = useRef('')
		useLayoutEffect(() => {
			const root = place.current
			if (!root) return undefined
			const keepTexts = draftKeeper(draft)
			const keep = () => keepTexts(readInput(root, '').texts)
			window.addEventListener('pagehide', keep)
			return () => {
				window.removeEventListener('pagehide', keep)
				early = readInput(root, pressed.current)
				// The form is inserted in the same step, or not at all.
				queueMicrotask(() => {
					if (early) keepTexts(early.texts)
					early = undefined
				})
			}
		}, [])
		const press = (event: MouseEvent<HTMLElement>) => {
			const button = event.target instanceof Element && event.target.closest('button')
			if (!button) return
			event.preventDefault()
			event.stopPropagation()
			pressed.current = nameOf(button)
		}
		return (
			<div
				ref={place}
				style={{ display: 'contents' }}
				onClickCapture={press}
				onInput={() => (typedAtMs = performance.now())}
			>
				<First />
			</div>
		)
	}

	function Full(props: Props) {
		const place = useRef<HTMLDivElement>(null)
		useLayoutEffect(() => {
			if (early && place.current) giveInput(place.current, early)
			early = undefined
		}, [])
		return (
			<div ref={place} style={{ display: 'contents' }}>
				<Form {...props} />
			</div>
		)
	}

	const read = async () => {
		Form = await load()
		for (let leftMs; (leftMs = typedAtMs + TYPING_MS - performance.now()) > 0;)
			await new Promise((resolve) => setTimeout(resolve, leftMs))
		return Full
	}
	return latePart(read, Early)
}

/** Returns the name by which a control is found in both forms: the path of its field, or the name of a button. */
function nameOf(control: HTMLElement): string {
	return control.dataset['path'] ?? control.ariaLabel ?? control.textContent
}

function readInput(root: HTMLElement, pressed: string): EarlyInput {
	const inputs = [...root.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('[data-path]')]
	const { activeElement: active } = document
	const isInside = active instanceof HTMLElement && root.contains(active)
	return {
		texts: new Map(inputs.filter(({ value }) => value).map((input) => [nameOf(input), input.value])),
		focused: isInside ? { name: nameOf(active), selection: selectionOf(active) } : null,
		pressed,
	}
}

/** Returns the function that stores typed texts as a draft of the person who is signed in now, unless the session has ended. */
function draftKeeper(draft: string): (texts: EarlyInput['texts']) => void {
	const token = readToken()
	const store = draftOf(draft)
	return (texts) => {
		if (texts.size > 0 && token !== null && readToken() === token) store.write(Object.fromEntries(texts), {})
	}
}

function selectionOf(control: Element): [number, number] | null {
	if (!isText(control)) return null
	return [control.selectionStart ?? 0, control.selectionEnd ?? 0]
}

function giveInput(root: HTMLElement, { texts, focused, pressed }: EarlyInput): void {
	const controls = [...root.querySelectorAll<Control>(CONTROLS)]
	const find = (name: string) => controls.find((control) => nameOf(control) === name)
	for (const [name, text] of texts) {
		const input = find(name)
		if (input) type(input, text)
	}
	const control = focused && find(focused.name)
	control?.focus({ preventScroll: true })
	const selection = focused?.selection
	// React renders the typed texts after this step and before the microtask, and a changed value moves the caret to the end.
	if (control && isText(control) && selection) queueMicrotask(() => control.setSelectionRange(...selection))
	// After the render of the typed texts, which the button's action reads.
	if (pressed) setTimeout(() => find(pressed)?.click())
}

function isText(control: Element): control is HTMLInputElement | HTMLTextAreaElement {
	return control instanceof HTMLTextAreaElement || (control instanceof HTMLInputElement && control.type === 'text')
}

/** Sets the text of a controlled input as typing does: React ignores an event without a change that its own setter has not seen. */
function type(input: Control, text: string): void {
	Object.getOwnPropertyDescriptor(Object.getPrototypeOf(input), 'value')?.set?.call(input, text)
	input.dispatchEvent(new Event('input', { bubbles: true }))
}
