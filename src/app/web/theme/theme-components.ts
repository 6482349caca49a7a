import type {
	ActionIconProps,
	ButtonProps,
	DrawerProps,
	MantineThemeComponents,
	MenuProps,
	ModalProps,
	NotificationProps,
	NumberInputProps,
	PopoverProps,
	SelectProps,
	SkeletonProps,
	TextareaProps,
	TextInputProps,
} from '@mantine/core'

const OVERLAY = { duration: 180, transition: 'fade' } as const
const presentation: Partial<DrawerProps & ModalProps> = {
	attributes: { header: { role: 'presentation' } },
	classNames: { title: 'heading' },
}
// Labels above, help under the input, the error under the help.
const input: Partial<TextInputProps> = { inputWrapperOrder: ['label', 'input', 'description', 'error'] }

// Only the types of the components are imported: their code belongs to the screens that use them.
function set<Props>(defaultProps: Partial<Props>) {
	return { defaultProps }
}

/** How each of Mantine's components behaves here unless a screen says otherwise. */
export const components: MantineThemeComponents = {
	ActionIcon: set<ActionIconProps>({ variant: 'subtle', size: 36 }),
	Button: set<ButtonProps>({ size: 'sm' }),
	Checkbox: set({ size: 'sm' }),
	Drawer: set<DrawerProps>({
		...presentation,
		closeButtonProps: { 'aria-label': 'Close' },
		transitionProps: { duration: 220, timingFunction: 'ease-out' },
	}),
	// The placeholder is a focusable element without a role inside a menu.
	MultiSelect: set(input),
	Menu: set<MenuProps>({
		withInitialFocusPlaceholder: false,
		shadow: 'md',
		transitionProps: OVERLAY,
		position: 'bottom-end',
	}),
	Modal: {
		...set<ModalProps>({
			...presentation,
			closeButtonProps: { 'aria-label': 'Close' },
			transitionProps: OVERLAY,
			radius: 'lg',
			padding: 20,
			centered: true,
			// The second click of a double one must not close what the first has opened.
			overlayProps: { onClickCapture: (event) => event.detail > 1 && event.stopPropagation() },
		}),
		// A dialog that fades out takes no click: the second of a double click would do it twice.
		styles: (_: unknown, { opened }: ModalProps) => ({ content: opened ? {} : { pointerEvents: 'none' as const } }),
	},
	Notification: set<NotificationProps>({ closeButtonProps: { 'aria-label': 'Dismiss' } }),
	// Steps of one are of no use in a field that one types into, and too small for a finger.
	NumberInput: set<NumberInputProps>({ ...input, hideControls: true } as Partial<NumberInputProps>),
	PasswordInput: set(input),
	Popover: set<PopoverProps>({ shadow: 'md', transitionProps: OVERLAY }),
	RadioGroup: set(input),
	Select: set<SelectProps>({
		...(input as Partial<SelectProps>),
		checkIconPosition: 'right',
		// Enter after a search takes the first option. With none to take it must not send the form around the open list.
		selectFirstOptionOnChange: true,
		onKeyDown: (event) => {
			if (event.key === 'Enter' && event.currentTarget.ariaExpanded === 'true') event.preventDefault()
		},
	}),
	Skeleton: set<SkeletonProps>({ radius: 'sm' }),
	TagsInput: set(input),
	TextInput: set(input),
	Textarea: set<TextareaProps>({ ...(input as Partial<TextareaProps>), autosize: true, minRows: 3 }),
}
